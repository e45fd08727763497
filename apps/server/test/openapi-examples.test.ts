import { readFile, writeFile } from 'node:fs/promises'
import { pathParametersOf } from '@community/contract'
import { fileForm } from '@community/testing'
import { afterAll, expect, it } from 'vitest'
import type { CsvTableName } from '../src/data-export/csv-tables.ts'
import { type CallerName, OBJECTS, type ObjectName, type ProcedureName } from './permissions-outcomes.ts'
import { PERMISSIONS } from './permissions.ts'
import { openPermissionFixture } from './permissions-fixture.ts'
import { inputOf, permissionCase } from './permissions-inputs.ts'
import { routeOf } from './permissions-routes.ts'
import { callProcedure, restTransport } from './permissions-transports.ts'
import { maskVariableValues } from './openapi-examples.ts'
import { transparentPng } from './sample-pictures.ts'

const FILE = new URL('../src/rest/openapi/examples.json', import.meta.url)

const fixture = await openPermissionFixture()
const { team } = permissionCase(fixture, 'admin', 'foreign')
const { body } = await fixture.server.rest(fixture.callers.admin)(`GET /submissions/${team.approved}`)
afterAll(() => fixture.close())

/** Fields of the examples that the inputs of the permission matrix omit. */
const FIELDS: { [N in ProcedureName]?: object } = {
  'auth.endSessions': { andThisOne: true },
  'submissions.resetEvaluation': { evaluatedAt: body.data.submission.evaluatedAt },
  'teams.removeMember': { autoAssign: true },
  'webhooks.update': { isActive: false },
}
/** Procedures whose body has no field but the administrator's password. */
const PASSWORD_ONLY = new Set<ProcedureName>([
  'teams.remove',
  'webhooks.remove',
  'webhooks.rotateSecret',
  'webhooks.ping',
  'webhooks.redeliver',
])

/** The most typical caller who may call a procedure. */
function allowedCall(name: ProcedureName): { role: CallerName; object: ObjectName } {
  const roles: CallerName[] =
    routeOf(name).access === 'visitor' ? ['visitor', 'chef', 'member'] : ['chef', 'member', 'stranger', 'admin']
  for (const object of OBJECTS)
    for (const role of PASSWORD_ONLY.has(name) ? (['admin'] as const) : roles)
      if (PERMISSIONS[name][object]?.[role] === 'yes') return { role, object }
  throw new Error(`Nobody may call ${name}`)
}

/** Calls a procedure, and returns its request and response as an example. */
async function exampleOfCall(name: ProcedureName) {
  const { role, object } = allowedCall(name)
  const testCase = permissionCase(fixture, role, object)
  const { status, message, data } = await callProcedure(restTransport(fixture.server), name, testCase, FIELDS[name])
  await fixture.database.restore(await fixture.database.changedTables())
  expect([name, status]).toEqual([name, routeOf(name).creates ? 201 : 200])
  const { method, path } = routeOf(name)
  const fields = Object.entries({ ...inputOf(name, testCase), ...FIELDS[name] })
  const body = Object.fromEntries(fields.filter(([key]) => !pathParametersOf(path).includes(key)))
  const request = method !== 'GET' && Object.keys(body).length > 0 ? { request: body } : {}
  return maskVariableValues(name, { ...request, response: { success: true, message, data } })
}

/** The responses of the routes that are not procedures. */
const OTHERS: Record<string, { url: string; field?: string }> = {
  'uploads.single': { url: '/api/upload/single', field: 'file' },
  'uploads.submission': { url: '/api/upload/submission', field: 'files' },
  'uploads.profile': { url: '/api/upload/profile', field: 'profile' },
  'system.health': { url: '/api/health' },
  'system.live': { url: '/api/health/live' },
}

const TABLES: Record<string, CsvTableName> = {
  'admin.exportTeams': 'teams',
  'admin.exportSubmissions': 'submissions',
  'admin.exportLeaderboard': 'leaderboard',
  'admin.exportAudit': 'audit',
}

/** The header and one row of a table: of the same team in each run, because the names of teams are random. */
async function exampleOfTable(name: CsvTableName) {
  const { token } = fixture.callers.admin
  const headers = { authorization: `Bearer ${token}` }
  const response = await fixture.server.app.inject({ url: `/api/admin/export/${name}.csv`, headers })
  await fixture.database.restore(await fixture.database.changedTables())
  expect([name, response.statusCode]).toEqual([name, 200])
  const [header = '', ...rows] = response.payload.replace(/^\uFEFF/, '').split('\r\n')
  const row = rows.find((line) => name === 'audit' || line.includes(fixture.teams.A.id)) ?? ''
  return maskVariableValues(name, { response: { text: `${header}\r\n${row}\r\n` } })
}

async function exampleOfOther(name: string, { url, field }: { url: string; field?: string }) {
  const upload = field && {
    method: 'POST' as const,
    headers: { authorization: `Bearer ${fixture.callers.member.token}` },
    payload: fileForm(field, await transparentPng(), 'poster.png'),
  }
  const response = await fixture.server.app.inject({ url, ...upload })
  await fixture.database.restore(await fixture.database.changedTables())
  expect([url, response.statusCode]).toEqual([url, upload ? 201 : 200])
  return maskVariableValues(name, { response: response.json<object>() })
}

it('the examples of the document equal the server’s responses; UPDATE_EXAMPLES=1 writes them', async () => {
  const examples: Record<string, unknown> = {}
  for (const name of Object.keys(PERMISSIONS) as ProcedureName[]) examples[name] = await exampleOfCall(name)
  for (const [name, route] of Object.entries(OTHERS)) examples[name] = await exampleOfOther(name, route)
  for (const [name, table] of Object.entries(TABLES)) examples[name] = await exampleOfTable(table)
  if (process.env['UPDATE_EXAMPLES']) await writeFile(FILE, `${JSON.stringify(examples, null, 2)}\n`)
  expect(examples).toEqual(JSON.parse(await readFile(FILE, 'utf8')))
}, 120_000)
