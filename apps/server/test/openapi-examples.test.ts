import { readFile, writeFile } from 'node:fs/promises'
import { pathParametersOf } from '@community/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CallerName, OBJECTS, type ObjectName, PERMISSIONS, type ProcedureName } from './permissions.ts'
import { openPermissionFixture, type PermissionFixture } from './permissions-fixture.ts'
import { inputOf, permissionCase } from './permissions-inputs.ts'
import { routeOf } from './permissions-routes.ts'
import { callProcedure, restTransport } from './permissions-transports.ts'
import { withoutChance } from './openapi-examples.ts'

const FILE = new URL('../src/rest/openapi/examples.json', import.meta.url)

let fixture: PermissionFixture
beforeAll(async () => {
  fixture = await openPermissionFixture()
})
afterAll(() => fixture.close())

/** The likeliest caller of a procedure who may call it. */
function allowedCall(name: ProcedureName): { role: CallerName; object: ObjectName } {
  const roles: CallerName[] =
    routeOf(name).access === 'visitor' ? ['visitor', 'chef', 'member'] : ['chef', 'member', 'stranger', 'admin']
  for (const object of OBJECTS)
    for (const role of roles) if (PERMISSIONS[name][object]?.[role] === 'yes') return { role, object }
  throw new Error(`Nobody may call ${name}`)
}

/** Calls a procedure, and returns its request and response as an example. */
async function exampleOfCall(name: ProcedureName) {
  const { role, object } = allowedCall(name)
  const testCase = permissionCase(fixture, role, object)
  const { status, message, data } = await callProcedure(restTransport(fixture.server), name, testCase)
  await fixture.database.restore(await fixture.database.changedTables())
  expect([name, status]).toEqual([name, routeOf(name).creates ? 201 : 200])
  const { method, path } = routeOf(name)
  const fields = Object.entries(inputOf(name, testCase) ?? {})
  const body = Object.fromEntries(fields.filter(([key]) => !pathParametersOf(path).includes(key)))
  const request = method !== 'GET' && Object.keys(body).length > 0 ? { request: body } : {}
  return withoutChance({ ...request, response: { success: true, message, data } })
}

it('the examples of the document are what the server answers; UPDATE_EXAMPLES=1 writes them', async () => {
  const examples: Record<string, unknown> = {}
  for (const name of Object.keys(PERMISSIONS) as ProcedureName[]) examples[name] = await exampleOfCall(name)
  if (process.env['UPDATE_EXAMPLES']) await writeFile(FILE, `${JSON.stringify(examples, null, 2)}\n`)
  expect(examples).toEqual(JSON.parse(await readFile(FILE, 'utf8')))
}, 120_000)
