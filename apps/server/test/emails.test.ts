import { contract, type Route, routesOf } from '@community/contract'
import { jobs } from '@community/db/schema'
import { type ProcedureName, validInputOf } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openTestServer } from './test-server.ts'

const INVALID_EMAILS: [what: string, email: unknown][] = [
  ['with 300 characters', `${'x'.repeat(289)}@example.ma`],
  ['inside an array', ['sara@example.ma', 'eve@example.ma']],
  ['inside an object', { toString: 'sara@example.ma' }],
  ['with a dotless i', 'adm\u0131n@example.ma'],
  ['with a Kelvin sign', 'sara@\u212Aenitra.ma'],
  ['with full-width letters', 'sara@ｅxample.ma'],
  ['with a header injection', 'sara@example.ma\r\nBcc: eve@example.ma'],
  ['with a NUL', 'sara\u0000@example.ma'],
  ['with a zero-width space', 'sa\u200bra@example.ma'],
  ['with two addresses', 'sara@example.ma,eve@example.ma'],
  ['with a display name', 'Sara <sara@example.ma>'],
  ['that is null', null],
]

/** The paths of email fields in an input, also in nested objects. */
const findEmailPaths = (input: unknown, path: string[] = []): string[][] =>
  input instanceof z.ZodObject
    ? Object.entries(input.shape).flatMap(([key, field]) => findEmailPaths(field, [...path, key]))
    : path.at(-1) === 'email'
      ? [path]
      : []

const fields = routesOf(contract).flatMap(([name, route]) =>
  findEmailPaths(route.input).map((path): [ProcedureName, string, Route] => [
    name as ProcedureName,
    path.join('.'),
    route,
  ]),
)

/** A valid input except for the email address at the path. */
function inputWith(name: ProcedureName, path: string, email: unknown): Record<string, unknown> {
  const form: Record<string, unknown> = validInputOf(name)
  const [first = '', second] = path.split('.')
  const inside = second === undefined ? email : { ...(form[first] as object), [second]: email }
  return { ...form, [first]: inside }
}

const server = await openTestServer()
const member = await server.createMember()
const admin = await server.createAdmin()
afterAll(() => server.close())

const countMails = async () => (await server.db.select().from(jobs)).length + server.caughtMails().length
const callerOf = ({ access }: Route) => (access === 'admin' ? admin : access === 'member' ? member : null)

it('finds the procedures that take an email address', () =>
  expect(fields.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'auth.login',
      'auth.register',
      'auth.verifyRegistrationOtp',
      'auth.resendRegistrationOtp',
      'auth.sendOtp',
      'auth.resendOtp',
      'auth.verifyOtp',
      'auth.verifyGoogleOtp',
      'auth.forgotPassword',
      'auth.resetPassword',
      'teams.create',
      'teams.join',
      'admin.addToBlacklist',
    ]),
  ))

describe.each(fields)('%s rejects as %s an email address', (name, path, route) => {
  it.each(INVALID_EMAILS)('%s, over both transports, and sends no mail', async (_what, email) => {
    const input = inputWith(name, path, email)
    const { id, ...body } = input
    const failure = {
      code: 'VALIDATION',
      message: 'Please enter a valid email address',
      errors: [{ path, msg: 'Please enter a valid email address' }],
    }
    const rest = await server.rest(callerOf(route))(`${route.method} ${route.path.replace('{id}', String(id))}`, body)
    expect(rest).toMatchObject({ status: 400, body: failure })
    expect(await server.trpc(callerOf(route), name, input)).toMatchObject({ status: 400, failure })
    expect(await countMails()).toBe(0)
  })
})
