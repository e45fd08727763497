import { fileForm, PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { openStream } from '@community/testing/event-stream'
import { CALLERS, type PlainRoute } from './permissions-outcomes.ts'
import { PLAIN_PERMISSIONS } from './permissions.ts'
import { outcomeOf, tokenOf } from './permissions-transports.ts'
import { permissionCase } from './permissions-inputs.ts'
import { openPermissionFixture } from './permissions-fixture.ts'
import { transparentPng } from './sample-pictures.ts'

const [fixture, png] = await Promise.all([openPermissionFixture(), transparentPng()])
const origin = await fixture.server.app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => fixture.close())

/** The URL of each route, the form field of its file, and whether it writes to the audit log. */
const ENDPOINTS: Record<
  PlainRoute,
  { url: string; method?: 'PUT'; field?: string; isAudited?: true; needsPassword?: true }
> = {
  'upload.single': { url: '/api/upload/single', field: 'file' },
  'upload.profile': { url: '/api/upload/profile', field: 'profile' },
  'upload.submission': { url: '/api/upload/submission', field: 'files' },
  'users.export': { url: '/api/users/export' },
  'admin.exportTeams': { url: '/api/admin/export/teams.csv', isAudited: true },
  'admin.exportSubmissions': { url: '/api/admin/export/submissions.csv', isAudited: true },
  'admin.exportLeaderboard': { url: '/api/admin/export/leaderboard.csv', isAudited: true },
  'admin.exportAudit': { url: '/api/admin/export/audit.csv', isAudited: true },
  'admin.exportAll': { url: '/api/admin/export', isAudited: true, needsPassword: true },
  'admin.importPart': { url: '/api/admin/import/{importId}/parts/0', method: 'PUT' },
  'events.stream': { url: '/api/events' },
  'system.health': { url: '/api/health' },
  'system.live': { url: '/api/health/live' },
}

/** The response to a request for the event stream, which does not end. */
async function requestStream(token: string | undefined) {
  const stream = await openStream(origin, { user: token === undefined ? undefined : { token } })
  stream.close()
  return { statusCode: stream.status, json: (): unknown => stream.failure }
}

describe('permissions of the routes outside the contract', () => {
  // Cast, because Object.keys returns strings.
  it.each(Object.keys(PLAIN_PERMISSIONS) as PlainRoute[])('%s', async (name) => {
    const { url, method, field, isAudited, needsPassword } = ENDPOINTS[name]
    const actual: Record<string, string> = {}
    for (const role of CALLERS) {
      const token = tokenOf(permissionCase(fixture, role, 'own'))?.token
      const response =
        name === 'events.stream'
          ? await requestStream(token)
          : await fixture.server.app.inject({
              method: method ?? (field || needsPassword ? 'POST' : 'GET'),
              url: url.replace('{importId}', fixture.importId),
              headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
              ...(field !== undefined && { payload: fileForm(field, png, 'a.png') }),
              ...(needsPassword && { payload: role === 'adminNoPassword' ? {} : { password: PASSWORD } }),
            })
      // A success need not be JSON.
      const { code } = response.statusCode < 400 ? {} : (response.json() as { code?: string })
      actual[role] = outcomeOf({ status: response.statusCode, code })
      const changed = await fixture.database.changedTables()
      if ((actual[role] === 'yes' && (field !== undefined || isAudited === true)) !== changed.length > 0)
        actual[role] += `, changed ${changed.join()}`
      await fixture.database.restore(changed)
    }
    expect(actual).toEqual(PLAIN_PERMISSIONS[name].own)
  })
})
