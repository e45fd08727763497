import { type Message, unknownFieldMessage } from '@community/contract'
import { PASSWORD, rounds } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openTestServer, type TestUser } from '../../test/test-server.ts'
import { accountSearchText } from '../search/search-text.ts'

const UNKNOWN_ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const password = PASSWORD

const server = await openTestServer()
const [admin, second] = await Promise.all([server.createAdmin(), server.createAdmin()])
afterAll(async () => {
  await expectInvariants(server.db)
  await server.close()
})

const findAuditedActions = async (targetId: string) =>
  (await server.sql`select action from audit_log where target_id = ${targetId} order by id`).map((row) => row['action'])
const warn = (user: TestUser, reason = 'Please be kind.') =>
  server.rest(admin)('POST /admin/warnings', { userId: user.id, reason, password })
const ban = (user: TestUser, by = admin) =>
  server.rest(by)('POST /admin/ban', { userId: user.id, reason: 'Spam in every team.', password })

describe('warnings', () => {
  it('are counted, listed with reason and author, and revoked', async () => {
    const member = await server.createMember()
    const first = await warn(member, '  First one. ')
    expect([first.status, first.body.message]).toEqual([201, 'Warning given successfully'])
    expect(first.body.data.warning).toMatchObject({
      reason: 'First one.',
      userId: { id: member.id, email: member.email },
      createdBy: { id: admin.id, name: admin.name },
    })
    const again = await warn(member, 'Second one.')
    expect(again.body.data.user.warnings).toBe(2)

    const list = await server.rest(admin)(`GET /admin/warnings?userId=${member.id}`)
    expect(list.body.data.warnings.map(({ reason }: { reason: string }) => reason)).toEqual([
      'Second one.',
      'First one.',
    ])
    expect(list.body.data.pagination).toMatchObject({ page: 1, total: 2, totalPages: 1 })
    const everybody = await server.rest(admin)('GET /admin/warnings?page=1&limit=50')
    expect(everybody.body.data.pagination.total).toBeGreaterThanOrEqual(2)

    const takeBack = `DELETE /admin/warnings/${first.body.data.warning.id}` as const
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => server.rest(admin)(takeBack)))
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404])
    expect((await server.rest(admin)(`GET /users/${member.id}`)).body.data.user.warnings).toBe(1)
    expect(await findAuditedActions(member.id)).toEqual(['admin.warn', 'admin.warn', 'admin.takeWarningBack'])
  })

  it('can target other administrators, but not banned users, oneself or unknown ids', async () => {
    const member = await server.createMember()
    await ban(member)
    expect((await warn(member)).body.code).toBe('ALREADY_BANNED')
    expect((await warn(second)).body.data.user).toMatchObject({ id: second.id, role: 'admin', warnings: 1 })
    expect((await warn(admin)).body.message).toBe('You cannot perform admin actions on your own account')
    expect((await warn({ ...member, id: UNKNOWN_ID })).body.code).toBe('USER_MISSING')
  })

  it.each<[input: object, path: string, msg: string, code: string, details?: Partial<Message>]>([
    [{ reason: '   ' }, 'reason', 'This field is required', 'TOO_SHORT', { params: { n: 1 } }],
    [
      { reason: 'x'.repeat(501) },
      'reason',
      'Maximum 500 characters allowed',
      'TOO_LONG',
      { template: 'Maximum {n} characters allowed', params: { n: 500 } },
    ],
    [{ userId: 'me' }, 'userId', 'Not a valid id', 'INVALID_FORMAT'],
    [{ warnings: 9 }, 'warnings', 'Unknown field: warnings', 'UNKNOWN_FIELD', unknownFieldMessage('warnings')],
  ])('rejects %j', async (wrong, path, msg, code, { template, params } = {}) => {
    const member = await server.createMember()
    const input = { userId: member.id, reason: 'A reason.', password, ...wrong }
    const { status, body } = await server.rest(admin)('POST /admin/warnings', input)
    expect([status, body.errors?.[0]]).toEqual([400, { path, msg, template, params, code }])
  })
})

describe('a ban', () => {
  it('ends sessions and codes, leaves teams and blacklists the address', async () => {
    const [chef, heir] = [await server.createMember(), await server.createMember()]
    const team = await server.createTeam(chef)
    await server.join(team, heir)
    await server.sql`update users set sign_in_otp = true where id = ${chef.id}`
    await server.rest()('POST /auth/login', { email: chef.email, password })

    const { body } = await ban(chef)
    expect(body.data.user).toMatchObject({ isBanned: true, banReason: 'Spam in every team.' })
    expect((await server.rest(chef)('GET /users/profile')).status).toBe(401)
    expect((await server.trpc(chef, 'users.profile')).status).toBe(401)
    expect((await server.rest()('POST /auth/refresh', { refreshToken: chef.refreshToken })).status).toBe(403)
    expect((await server.rest()('POST /auth/login', { email: chef.email, password })).body.code).toBe('BANNED')
    expect(await server.sql`select 1 from codes where user_id = ${chef.id}`).toHaveLength(0)
    const remaining = (await server.rest(heir)(`GET /teams/${team.id}`)).body.data.team
    expect(remaining).toMatchObject({ ownerId: heir.id, memberCount: 1, isActive: true })
    const [name, domain] = chef.email.split('@')
    const register = {
      name: 'Another Name',
      email: `${name}+again@${domain}`,
      password: 'Zellige2026',
      confirmPassword: 'Zellige2026',
    }
    expect((await server.rest()('POST /auth/register', register)).body.code).toBe('EMAIL_REFUSED')
    expect((await ban(chef)).body.code).toBe('ALREADY_BANNED')
    expect(await findAuditedActions(chef.id)).toEqual(['admin.ban'])
  })

  it('mails the reason in the person’s language', async () => {
    const member = await server.createMember()
    await server.sql`update users set language = 'fr' where id = ${member.id}`
    await ban(member)
    const { subject, text } = await server.waitForMail(member.email)
    expect(subject).toBe('Votre compte a été banni')
    expect(text).toContain('Motif\u202f: \u2068Spam in every team.\u2069')
    expect(text).toContain('écrivez à support@')
  })

  it('removes the blacklist entry when revoked', async () => {
    const member = await server.createMember()
    const unbanMember = () => server.rest(admin)(`POST /admin/unban/${member.id}`, { password })
    expect((await unbanMember()).body.code).toBe('NOT_BANNED')
    await ban(member)
    expect((await unbanMember()).body.data.user).toMatchObject({ isBanned: false, banReason: null })
    expect((await server.rest()('POST /auth/login', { email: member.email, password })).status).toBe(200)
    const listed = await server.rest(admin)(`GET /admin/blacklist?search=${member.email}`)
    expect(listed.body.data.blacklist).toEqual([])
  })

  const unban = (user: TestUser) => server.rest(admin)(`POST /admin/unban/${user.id}`, { password })
  /** Users whose addresses are variants of one another. */
  const variantsOf = async (name: string) => {
    const people = [await server.createMember(), await server.createMember()] as const
    for (const [index, { id }] of people.entries())
      await server.sql`update users set email = ${`${name}+${index}@example.ma`} where id = ${id}`
    return people
  }
  const entriesOf = async (name: string) =>
    (await server.sql`select 1 from blacklist where email_key = ${`${name}@example.ma`}`).length

  it('keeps the blacklist entry while a variant of the address is banned', async () => {
    const [first, second] = await variantsOf('plus')
    await ban(first)
    await ban(second)
    expect(await entriesOf('plus')).toBe(1)
    expect((await unban(first)).status).toBe(200)
    expect(await entriesOf('plus')).toBe(1)
    await expectInvariants(server.db)
    expect((await unban(second)).status).toBe(200)
    expect(await entriesOf('plus')).toBe(0)
  })

  it('keeps the blacklist entry when a variant is unbanned concurrently', async () => {
    const [first, second] = await variantsOf('race')
    for (let round = 0; round < 15; round++) {
      await ban(first)
      const outcomes = await Promise.all([unban(first), ban(second)])
      expect(outcomes.map(({ status }) => status)).toEqual([200, 200])
      expect(await entriesOf('race')).toBe(1)
      await unban(second)
      expect(await entriesOf('race')).toBe(0)
    }
  })

  it('can target other administrators, not oneself, and revokes their role at once', async () => {
    const other = await server.createAdmin()
    expect((await ban(admin)).body.code).toBe('OWN_ACCOUNT')
    expect((await ban(other)).body.data.user).toMatchObject({ id: other.id, role: 'member', isBanned: true })
    expect((await server.rest(other)('GET /admin/settings')).status).toBe(401)
    expect((await unban(other)).body.data.user).toMatchObject({ role: 'member', isBanned: false })
    expect((await server.rest()('POST /auth/login', { email: other.email, password })).status).toBe(200)
  })

  it.each([
    ['ban', (by: TestUser, user: TestUser) => ban(user, by)],
    ['deletion', (by: TestUser, user: TestUser) => server.rest(by)(`DELETE /admin/users/${user.id}`, { password })],
    [
      'a ban and a demotion',
      (by: TestUser, user: TestUser) =>
        by.id < user.id
          ? ban(user, by)
          : server.rest(by)(`PUT /admin/users/${user.id}/role`, { role: 'member', password }),
    ],
  ])('leaves one administrator when two act on each other at once (%s)', async (_name, end) => {
    for (let round = 0; round < 10; round++) {
      const [first, other] = [await server.createAdmin(), await server.createAdmin()]
      const outcomes = await Promise.all([end(first, other), end(other, first)])
      const codes = outcomes.map(({ status }) => status).toSorted((a, b) => a - b)
      expect([401, 403]).toContain(codes[1])
      expect(codes[0]).toBe(200)
      const remaining = await server.sql`select id from users
        where id in (${first.id}, ${other.id}) and role = 'admin'`
      expect(remaining).toHaveLength(1)
    }
  })

  it('leaves no session or team from concurrent sign-ins, refreshes and joins', async () => {
    const chef = await server.createMember()
    const team = await server.createTeam(chef, { maxMembers: 11 })
    for (let round = 0; round < rounds(30, 10); round++) {
      const member = await server.createMember()
      await Promise.all([
        server.rest()('POST /auth/login', { email: member.email, password }),
        ban(member),
        server.rest()('POST /auth/refresh', { refreshToken: member.refreshToken }),
        server.join(team, member),
        server.rest()('POST /auth/login', { email: member.email, password }),
      ])
      expect((await server.rest(member)('GET /users/profile')).status).toBe(401)
    }
    await expectInvariants(server.db)
  })
})

describe('ending an account', () => {
  it.each([
    ['ban', (user: TestUser) => ban(user)],
    [
      'deletion by an administrator',
      (user: TestUser) => server.rest(admin)(`DELETE /admin/users/${user.id}`, { password }),
    ],
    ['deletion by its owner', (user: TestUser) => server.rest(user)(`DELETE /users/${user.id}`, { password })],
  ])('locks codes before the account, like a sign-in (%s)', async (_name, end) => {
    const member = await server.createMember()
    await server.sql`update users set sign_in_otp = true where id = ${member.id}`
    await server.rest()('POST /auth/login', { email: member.email, password })
    const pending = await server.sql.begin(async (sql) => {
      // Shorter than deadlock_timeout, after which the ban would be retried.
      await sql`set local lock_timeout = '300ms'`
      await sql`update codes set used_at = now() where user_id = ${member.id}`
      const call = end(member)
      for (let isWaiting = false; !isWaiting; ) {
        const rows = await server.sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        isWaiting = rows.length > 0
      }
      await sql`select 1 from users where id = ${member.id} for share`
      return { call }
    })
    expect((await pending.call).status).toBe(200)
    expect(await server.sql`select 1 from codes where user_id = ${member.id}`).toHaveLength(0)
  })
})

describe('roles', () => {
  const setRole = (user: TestUser, role: string, by = admin) =>
    server.rest(by)(`PUT /admin/users/${user.id}/role`, { role, password })

  it('are granted and revoked, ending earlier sign-ins', async () => {
    const member = await server.createMember()
    expect((await setRole(member, 'admin')).body.data.user.role).toBe('admin')
    expect((await server.rest(member)('GET /admin/settings')).status).toBe(401)
    const again = await server.rest()('POST /auth/login', { email: member.email, password })
    const promoted = { ...member, token: again.body.data.token }
    expect((await server.rest(promoted)('GET /admin/settings')).status).toBe(200)
    expect((await setRole(member, 'member')).body.data.user.role).toBe('member')
    expect((await server.rest(promoted)('GET /admin/settings')).status).toBe(401)
    expect((await setRole(admin, 'member')).body.code).toBe('OWN_ACCOUNT')
    expect((await setRole(member, 'king')).body.errors?.[0]?.path).toBe('role')
  })

  it('require a password and reject banned users', async () => {
    const member = await server.createMember()
    await server.sql`update users set password_hash = null where id = ${member.id}`
    expect((await setRole(member, 'admin')).body.code).toBe('ADMIN_NEEDS_PASSWORD')
    const other = await server.createMember()
    await ban(other)
    expect((await setRole(other, 'admin')).body.code).toBe('ALREADY_BANNED')
  })

  it('keep one administrator when two demote each other', async () => {
    for (let round = 0; round < 10; round++) {
      const [first, other] = [await server.createAdmin(), await server.createAdmin()]
      const outcomes = await Promise.all([setRole(first, 'member', other), setRole(other, 'member', first)])
      expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })
})

describe('the blacklist', () => {
  const add = (email: string) => server.rest(admin)('POST /admin/blacklist', { email, reason: 'Throw-away address.' })

  it('stores an address once in any spelling and removes it', async () => {
    const added = await add('Some.One+spam@GMAIL.com')
    expect(added.status).toBe(201)
    expect(added.body.data.entry).toMatchObject({ email: 'some.one+spam@gmail.com', createdBy: { id: admin.id } })
    expect((await add('someone@googlemail.com')).body.code).toBe('ALREADY_BLACKLISTED')
    const register = {
      name: 'Some One',
      email: 's.omeone@gmail.com',
      password: 'Zellige2026',
      confirmPassword: 'Zellige2026',
    }
    expect((await server.rest()('POST /auth/register', register)).body.code).toBe('EMAIL_REFUSED')
    const { id } = added.body.data.entry
    const found = await server.rest(admin)('GET /admin/blacklist?search=SOME.ONE')
    expect(found.body.data.blacklist.map((entry: { id: string }) => entry.id)).toEqual([id])
    expect((await server.rest(admin)('GET /admin/blacklist?search=%25')).body.data.blacklist).toEqual([])
    expect((await server.rest(admin)(`DELETE /admin/blacklist/${id}`)).status).toBe(200)
    expect((await server.rest(admin)(`DELETE /admin/blacklist/${id}`)).body.code).toBe('ENTRY_MISSING')
    expect((await server.rest()('POST /auth/register', register)).status).toBe(200)
    expect(await findAuditedActions(id)).toEqual(['admin.addToBlacklist', 'admin.removeFromBlacklist'])
  })

  it('rejects the caller’s own address', async () => {
    expect((await add(admin.email)).body.code).toBe('OWN_ACCOUNT')
  })
})

describe('deleting an account as an administrator', () => {
  it('removes the personal data and keeps the team’s submissions', async () => {
    const [chef, heir] = [await server.createMember('Forgotten Person'), await server.createMember()]
    const team = await server.createTeam(chef)
    await server.join(team, heir)
    const remove = () => server.rest(admin)(`DELETE /admin/users/${chef.id}`, { password })
    expect((await remove()).status).toBe(200)
    expect((await remove()).body.code).toBe('USER_MISSING')
    expect((await server.rest(chef)('GET /users/profile')).status).toBe(401)
    expect((await server.rest(heir)(`GET /teams/${team.id}`)).body.data.team.ownerId).toBe(heir.id)
    const [row] = await server.sql`select * from audit_log where target_id = ${chef.id}`
    expect(JSON.stringify(row)).not.toContain('Forgotten Person')
    const other = await server.createAdmin()
    expect((await server.rest(admin)(`DELETE /admin/users/${other.id}`, { password })).status).toBe(200)
    expect((await server.rest(admin)(`DELETE /admin/users/${admin.id}`, { password })).body.code).toBe('OWN_ACCOUNT')
  })
})

describe('the audit log', () => {
  it('is listed newest first, filtered by actor and action, for administrators', async () => {
    const member = await server.createMember()
    await warn(member)
    const { body } = await server.rest(admin)(`GET /admin/audit?targetId=${member.id}&action=admin.warn`)
    expect(body.data.entries).toHaveLength(1)
    expect(body.data.entries[0]).toMatchObject({
      actor: { id: admin.id, name: admin.name },
      action: 'admin.warn',
      targetType: 'user',
      targetName: member.name,
      details: { reason: 'Please be kind.', warnings: 1 },
      result: 'done',
    })
    const byOther = await server.rest(admin)(`GET /admin/audit?actorId=${member.id}`)
    expect(byOther.body.data.entries).toEqual([])
    expect((await server.rest(member)('GET /admin/audit')).status).toBe(403)
    expect((await server.rest()('GET /admin/audit')).status).toBe(401)
  })

  it('is filtered by an action’s name, or by a prefix of several', async () => {
    const [chef, buddy] = [await server.createMember(), await server.createMember()]
    const team = await server.createTeam(chef)
    await server.join(team, buddy)
    await server.rest(admin)(`DELETE /teams/${team.id}/members/${buddy.id}`, { password })
    await server.rest(admin)(`DELETE /teams/${team.id}`, { password })
    const find = async (action: string) => {
      const { body } = await server.rest(admin)(`GET /admin/audit?targetId=${team.id}&action=${action}`)
      return body.data.entries.map((entry: { action: string }) => entry.action)
    }
    expect(await find('teams.remove')).toEqual(['teams.remove'])
    expect(await find('teams.')).toEqual(['teams.remove', 'teams.removeMember'])
  })

  it('is searched in names and values, ignoring case, without wildcards', async () => {
    const member = await server.createMember()
    await server.sql`update users set search_text = ${accountSearchText(member.name, member.email)} where id = ${member.id}`
    await warn(member, 'Shouting 100% of the Été')
    const countFound = async (search: string) =>
      (await server.rest(admin)(`GET /admin/audit?targetId=${member.id}&search=${encodeURIComponent(search)}`)).body
        .data.entries.length
    expect(await countFound('SHOUTING')).toBe(1)
    expect(await countFound('100% of')).toBe(1)
    expect(await countFound(` ${admin.name.toUpperCase()} `)).toBe(1)
    expect(await countFound('100_ of')).toBe(0)
    expect(await countFound('whispering')).toBe(0)
    expect(await countFound(member.email.toUpperCase())).toBe(1)
    expect(await countFound('reason')).toBe(0)
    expect(await countFound('été')).toBe(1)
    // Two letters match word prefixes, in the entry and in its target's name.
    for (const [search, count] of [
      ['SH', 1],
      [member.name.slice(0, 2), 1],
      ['ou', 0],
    ] as const)
      expect([search, await countFound(search)]).toEqual([search, count])
  })
})

describe('the statistics', () => {
  it('match the database', async () => {
    const { stats } = (await server.rest(admin)('GET /admin/stats')).body.data
    const [counted] =
      await server.sql`select count(*)::int as users, (count(*) filter (where is_banned))::int as banned,
      (count(*) filter (where created_at >= date_trunc('week', now(), 'UTC')))::int as week,
      (select count(*)::int from warnings) as warnings, (select count(*)::int from teams where is_active) as teams from users`
    expect(stats).toMatchObject({
      totalUsers: counted?.['users'],
      bannedUsers: counted?.['banned'],
      activeUsers: counted?.['users'] - counted?.['banned'],
      warningCount: counted?.['warnings'],
      activeTeams: counted?.['teams'],
      totalSubmissions: 0,
      averageScore: null,
      system: { database: true, storage: true, mail: true },
    })
    expect(stats.recentActivity).toHaveLength(10)
    expect(stats.weeks).toHaveLength(12)
    expect(stats.weeks.at(-1).registrations).toBe(counted?.['week'])
    expect(stats.trends.users).toEqual({ last30Days: counted?.['users'], before: 0, changePercent: null })
  })
})
