import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALLERS, PLAIN_PERMISSIONS, type PlainCall } from './permissions.ts'
import { outcomeOf, tokenOf } from './permissions-transports.ts'
import { placeOf } from './permissions-inputs.ts'
import { openSituation, type Situation } from './permissions-situation.ts'
import { transparentPng } from './sample-pictures.ts'

let s: Situation
let png: Uint8Array
beforeAll(async () => {
  ;[s, png] = await Promise.all([openSituation(), transparentPng()])
})
afterAll(() => s.close())

/** Where each call stands, and the field its file has in the form. */
const AT: Record<PlainCall, { url: string; field?: string }> = {
  'upload.single': { url: '/api/upload/single', field: 'file' },
  'upload.profile': { url: '/api/upload/profile', field: 'profile' },
  'upload.submission': { url: '/api/upload/submission', field: 'files' },
  'system.health': { url: '/api/health' },
  'system.live': { url: '/api/health/live' },
}

const formOf = (field: string) =>
  Buffer.concat([
    Buffer.from(`--x\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\n\r\n`),
    png,
    Buffer.from('\r\n--x--\r\n'),
  ])

describe('T-E1 permissions of the routes outside the contract', () => {
  // The cast: Object.keys tells texts.
  it.each(Object.keys(PLAIN_PERMISSIONS) as PlainCall[])('T-E1 %s', async (name) => {
    const { url, field } = AT[name]
    const found: Record<string, string> = {}
    for (const who of CALLERS) {
      const token = tokenOf(placeOf(s, who, 'own'))?.token
      const response = await s.world.app.inject({
        method: field ? 'POST' : 'GET',
        url,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(field && { 'content-type': 'multipart/form-data; boundary=x' }),
        },
        ...(field && { payload: formOf(field) }),
      })
      found[who] = outcomeOf({ status: response.statusCode, code: response.json<{ code?: string }>().code })
      const changed = await s.database.changed()
      if ((found[who] === 'yes' && field !== undefined) !== changed.length > 0)
        found[who] += `, changed ${changed.join()}`
      await s.database.restore(changed)
    }
    expect(found).toEqual(PLAIN_PERMISSIONS[name].own)
  })
})
