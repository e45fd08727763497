import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Context } from '../context.ts'
import { errorCodeOf } from '../../test/fixture.ts'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { createPreferencesUrl, getLinkedPreferences } from './preferences-link.ts'

let server: TestServer
let member: TestUser

beforeAll(async () => {
  server = await openTestServer()
})
beforeEach(async () => {
  member = await server.createMember()
})
afterAll(() => server.close())

const tokenOf = (url: string) => url.split('#email-preferences-')[1] ?? ''
const createToken = (of: { userId?: string; email?: string } = {}, now?: number) =>
  tokenOf(createPreferencesUrl(server.deps, { userId: member.id, email: member.email, ...of }, now))
const PATH = '/notifications/preferences/link'
const read = (token: string) => server.rest()(`POST ${PATH}`, { token })
const change = (token: string, changes: object) => server.rest()(`PUT ${PATH}`, { token, ...changes })

describe('the link to preferences', () => {
  it('shows and changes them without sign-in, with a masked address', async () => {
    const token = createToken()
    const { status, body } = await read(token)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ email: `${member.email[0]}•••@example.ma`, settings: { digestHour: 8 } })
    const kind = { kind: 'team.member.joined', app: true, mail: 'weekly', push: false }
    const changed = await change(token, { preferences: [kind], settings: { digestHour: 19 } })
    expect(changed.body.data).toMatchObject({ settings: { digestHour: 19 } })
    const own = await server.rest(member)('GET /notifications/preferences')
    expect(own.body.data.settings.digestHour).toBe(19)
    expect(own.body.data.preferences).toContainEqual({ ...kind, isSafety: false })
  })

  it('cannot turn off mails about safety', async () => {
    const kind = { kind: 'account.warned', app: true, mail: 'off', push: false }
    const { status, body } = await change(createToken(), { preferences: [kind] })
    expect(status).toBe(400)
    expect(body.errors?.[0]?.path).toBe('preferences.0.mail')
  })

  it('opens no transaction when it is forged', async () => {
    const transaction = vi.fn()
    const ctx = { db: { transaction }, deps: server.deps } as unknown as Context
    expect(await errorCodeOf(getLinkedPreferences(ctx, { token: 'x' }))).toBe('PREFERENCES_LINK_INVALID')
    expect(transaction).not.toHaveBeenCalled()
  })

  it('is rejected alike when it is forged, expired or of an account that is gone, banned or has another address', async () => {
    const banned = await server.createMember()
    await server.sql`update users set is_banned = true, ban_reason = 'Spam', banned_at = now() where id = ${banned.id}`
    const token = createToken()
    const wrong = [
      'x',
      `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
      server.deps.secret.seal(
        JSON.stringify({ purpose: 'unsubscribe', userId: member.id, expiresAt: Date.now() + 1e6 }),
      ),
      createToken({}, Date.now() - 31 * 86_400_000),
      createToken({ userId: crypto.randomUUID() }),
      createToken({ userId: banned.id, email: banned.email }),
      createToken({ email: 'former@example.ma' }),
    ]
    const expected = { success: false, code: 'PREFERENCES_LINK_INVALID' }
    for (const bad of wrong)
      for (const { status, body } of [await read(bad), await change(bad, { settings: { digestHour: 3 } })]) {
        expect(status).toBe(400)
        expect(body).toMatchObject(expected)
        expect(JSON.stringify(body)).not.toContain('•••')
      }
    expect(await server.sql`select 1 from notification_settings where digest_hour = 3`).toEqual([])
  })
})
