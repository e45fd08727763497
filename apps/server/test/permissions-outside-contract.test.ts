import { fileForm, PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { openStream } from '@community/testing/event-stream'
import { type CallerName, CALLERS, type PlainRoute } from './permissions-outcomes.ts'
import { PLAIN_PERMISSIONS } from './permissions.ts'
import { outcomeOf, tokenOf } from './permissions-transports.ts'
import { permissionCase } from './permissions-inputs.ts'
import { openPermissionFixture } from './permissions-fixture.ts'
import { transparentPng } from './sample-pictures.ts'

const [fixture, png] = await Promise.all([openPermissionFixture(), transparentPng()])
const origin = await fixture.server.app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => fixture.close())

interface Endpoint {
  url: string
  method?: 'GET' | 'POST' | 'PUT'
  /** The form field of the uploaded file. */
  field?: string
  isAudited?: true
  needsPassword?: true
}

const ENDPOINTS: Record<PlainRoute, Endpoint> = {
  'upload.single': { url: '/api/upload/single', method: 'POST', field: 'file' },
  'upload.profile': { url: '/api/upload/profile', method: 'POST', field: 'profile' },
  'upload.submission': { url: '/api/upload/submission', method: 'POST', field: 'files' },
  'users.export': { url: '/api/users/export' },
  'admin.exportTeams': { url: '/api/admin/export/teams.csv', isAudited: true },
  'admin.exportSubmissions': { url: '/api/admin/export/submissions.csv', isAudited: true },
  'admin.exportLeaderboard': { url: '/api/admin/export/leaderboard.csv', isAudited: true },
  'admin.exportAudit': { url: '/api/admin/export/audit.csv', isAudited: true },
  'admin.exportAll': { url: '/api/admin/export', method: 'POST', isAudited: true, needsPassword: true },
  'admin.importPart': { url: '/api/admin/import/{importId}/parts/0', method: 'PUT' },
  'events.stream': { url: '/api/events' },
  'system.health': { url: '/api/health' },
  'system.live': { url: '/api/health/live' },
}

/** Opens the event stream, whose response does not end, and returns its status and failure. */
async function requestStream(token: string | undefined) {
  const stream = await openStream(origin, { user: token === undefined ? undefined : { token } })
  stream.close()
  return { statusCode: stream.status, json: (): unknown => stream.failure }
}

function request({ url, method = 'GET', field, needsPassword }: Endpoint, role: CallerName, token: string | undefined) {
  return fixture.server.app.inject({
    method,
    url: url.replace('{importId}', fixture.importId),
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(field !== undefined && { payload: fileForm(field, png, 'a.png') }),
    ...(needsPassword && { payload: role === 'adminNoPassword' ? {} : { password: PASSWORD } }),
  })
}

describe('permissions of the routes outside the contract', () => {
  // Cast, because Object.keys returns strings.
  it.each(Object.keys(PLAIN_PERMISSIONS) as PlainRoute[])('%s', async (name) => {
    const endpoint = ENDPOINTS[name]
    const writes = endpoint.field !== undefined || endpoint.isAudited === true
    const actual: Record<string, string> = {}
    for (const role of CALLERS) {
      const token = tokenOf(permissionCase(fixture, role, 'own'))?.token
      const response = name === 'events.stream' ? await requestStream(token) : await request(endpoint, role, token)
      // A success need not be JSON.
      const { code } = response.statusCode < 400 ? {} : (response.json() as { code?: string })
      const outcome = outcomeOf({ status: response.statusCode, code })
      const changed = await fixture.database.changedTables()
      const shouldChange = writes && outcome === 'yes'
      const hasChanged = changed.length > 0
      actual[role] = hasChanged === shouldChange ? outcome : `${outcome}, changed ${changed.join()}`
      await fixture.database.restore(changed)
    }
    expect(actual).toEqual(PLAIN_PERMISSIONS[name].own)
  })
})
