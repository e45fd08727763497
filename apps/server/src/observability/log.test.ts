import { PASSWORD } from '@community/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { buildApp } from '../app.ts'
import { createKey } from '../uploads/file-url.ts'
import { createLog } from './log.ts'

let text = ''
const log = createLog('trace', { write: (line) => void (text += line) })
const server = await openTestServer({}, { log })
const app = await buildApp(server.deps, { logger: log })
beforeEach(() => {
  text = ''
})
afterAll(async () => {
  await app.close()
  await server.close()
})
const lines = () =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; req?: object; err?: object })

describe('a request in the log', () => {
  it('has the path and the server’s request id, without query, headers and body', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/auth/login?email=asked@example.ma&otp=sentinel',
      headers: {
        authorization: 'Bearer sentinel-token-sentinel-token',
        cookie: 'community_external=sentinel',
        'x-request-id': 'sentinel-id\r\nforged: 1',
        'idempotency-key': 'sentinel-key',
        'user-agent': 'sentinel-agent',
      },
      payload: { email: 'sentinel@example.ma', password: 'Sentinel-1' },
    })
    expect(response.statusCode).toBe(401)
    expect(text).not.toMatch(/sentinel|asked/i)
    expect(lines()[0]?.req).toEqual({ method: 'POST', path: '/api/auth/login', address: '127.0.0.1' })
    expect(lines()[0]).toMatchObject({ reqId: response.headers['x-request-id'] })
  })

  it('does not contain the code of an OAuth callback', async () => {
    await app.inject('/auth/google/callback?code=sentinel-code&state=sentinel-state')
    expect(text).toContain('/auth/google/callback')
    expect(text).not.toContain('sentinel')
  })

  it.each(['/files', '/api/files'])('has neither key nor name of a file below %s', async (folder) => {
    const key = createKey()
    await app.inject(`${folder}/${key}/sentinel.pdf`)
    await app.inject(`${folder}/${key}/thumbnails/sentinel`)
    expect(lines().flatMap(({ req }) => req ?? [])).toContainEqual({
      method: 'GET',
      path: `${folder}/…`,
      address: '127.0.0.1',
    })
    expect(text).not.toContain(key)
    expect(text).not.toContain('sentinel')
  })

  it('is one line for any URL', async () => {
    await app.inject('/api/teams/%0d%0a{"level":60,"msg":"forged"}')
    expect(lines().map(({ msg }) => msg)).not.toContain('forged')
  })
})

describe('an error in the log', () => {
  const logged = (err: unknown) => {
    text = ''
    log.error({ err }, 'unexpected error')
    return lines()[0]?.err
  }

  it('of the database has no query parameters', async () => {
    const failing = server.db.execute(
      sql`insert into users (name, email, role, password_hash) values (${'Sentinel'}, ${'sentinel@example.ma'}, ${'sentinel'}, ${PASSWORD})`,
    )
    const error: unknown = await failing.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(logged(error)).toMatchObject({ cause: { code: expect.stringMatching(/^\w{5}$/) } })
    expect(text).not.toContain('sentinel@example.ma')
    expect(text).not.toContain(PASSWORD)
    expect(text).toContain('log.test.ts')

    const member = await server.createMember()
    const twice: unknown = await server.sql`insert into users (name, email) values ('x', ${member.email})`.catch(
      (reason: unknown) => reason,
    )
    expect(logged(twice)).toMatchObject({ code: '23505', constraint: 'users_email_unique' })
    expect(text).not.toContain(member.email)
  })

  it('has the errors of an aggregate', () => {
    const errors = [new Error('first', { cause: new Error('why') }), new Error('second\nparams: sentinel@example.ma')]
    expect(logged(new AggregateError(errors, 'both'))).toMatchObject({
      message: 'both',
      errors: [{ message: 'first', cause: { message: 'why' } }, { message: 'second' }],
    })
  })

  it('may have a circular cause, and need not be an Error', () => {
    const circular = new Error('circular')
    circular.cause = circular
    expect(JSON.stringify(logged(circular)).match(/"circular"/g)?.length).toBeLessThan(10)
    expect(logged('PASSWORD=1')).toEqual({ type: 'string', message: 'not an error' })
  })
})

it('redacts secrets that are logged by mistake', () => {
  const secrets = { password: 'sentinel', otp: 'sentinel', token: 'sentinel', refreshToken: 'sentinel' }
  log.info({ ...secrets, body: secrets }, 'by mistake')
  expect(text).not.toContain('sentinel')
  expect(text).toContain('[Redacted]')
})
