import { PASSWORD, rounds, validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { from, ANY_ADDRESS } from './accounts.ts'
import { expectInvariants } from '@community/testing/database/invariants'
import { openWorld, openWorldOn, type Person, type World } from './world.ts'
import { createTestDatabase } from '@community/testing/database'

const password = PASSWORD
let world: World
/** Another server on the same database. */
let other: World
let admin: Person
beforeAll(async () => {
  const database = await createTestDatabase()
  world = await openWorldOn(database, ANY_ADDRESS)
  const keep = { url: database.url, drop: () => Promise.resolve() }
  other = await openWorldOn(keep, ANY_ADDRESS, { secret: world.deps.secret })
  admin = await world.admin()
})
afterEach(() => expectInvariants(world.db))
afterAll(async () => {
  await other.close()
  await world.close()
})

const ban = (who: Pick<Person, 'id'>) =>
  world.rest(admin)('POST /admin/ban', { userId: who.id, reason: 'Spam in every team', password })

describe('T-B3 a ban', () => {
  it('T-B3 rejects every request that starts after its response, on two servers', async () => {
    const roles = await rolesOf(world.db)
    const role = roles[0] ?? { id: '' }
    const chef = await world.member()
    const team = await world.team(chef, { maxMembers: 11, rolesNeeded: [role] })
    const { id: _inPath, ...joinForm } = validInput('teams.join', { id: team.id, role })
    for (let round = 0; round < rounds(12, 4); round++) {
      const who = await world.member()
      const founded = await world.team(who)
      const state = { isBanned: false, count: 0 }
      const letThrough: string[] = []
      let { token, refreshToken } = who
      const address = from(`10.1.${round}.1`)
      const calls: ((of: World) => ReturnType<ReturnType<World['rest']>>)[] = [
        (of) => of.rest({ token })('GET /users/profile'),
        (of) => of.rest({ token })('PUT /users/profile', { bio: `Round ${round}` }),
        (of) => of.rest({ token })('POST /teams', validInput('teams.create', { rolesNeeded: [role] })),
        (of) => of.rest({ token })(`POST /teams/${team.id}/join`, joinForm),
        (of) => of.rest({ token })(`PUT /teams/${founded.id}`, { description: 'Still here, still writing' }),
        (of) => of.rest()('POST /auth/refresh', { refreshToken }, address),
        (of) => of.rest()('POST /auth/login', { email: who.email, password }, address),
      ]
      const hammer = async (of: World, call: (typeof calls)[number]) => {
        for (let isLast = false; !isLast; ) {
          const beganAfter = state.isBanned
          const { status, body } = await call(of)
          if (body.data?.token) ({ token, refreshToken } = body.data)
          if (beganAfter && status < 300) letThrough.push(JSON.stringify(body))
          isLast = beganAfter
          state.count++
        }
      }
      const hammering = calls.flatMap((call) => [hammer(world, call), hammer(other, call)])
      expect((await ban(who)).status).toBe(200)
      state.isBanned = true
      await Promise.all(hammering)
      expect(letThrough).toEqual([])
      expect(state.count).toBeGreaterThan(calls.length)
      const [left] = await world.sql`
        select (select count(*)::int from sessions where user_id = ${who.id}) as sessions,
          (select count(*)::int from refresh_families where user_id = ${who.id} and revoked_at is null) as families,
          (select count(*)::int from codes where user_id = ${who.id} or email = ${who.email}) as codes,
          (select count(*)::int from team_members where user_id = ${who.id}) as teams`
      expect(left).toEqual({ sessions: 0, families: 0, codes: 0, teams: 0 })
    }
  })

  it('T-B3 is atomic: no reader sees a banned user with a session, a code or a team', async () => {
    const state = { isOver: false, looks: 0, half: 0 }
    const look = async () => {
      while (!state.isOver) {
        const rows = await other.sql`
          select u.id from users u where u.is_banned and (
            exists (select 1 from sessions s where s.user_id = u.id)
            or exists (select 1 from codes c where c.email = u.email)
            or exists (select 1 from team_members m where m.user_id = u.id)
            or not exists (select 1 from blacklist b where b.email = u.email)
            or not exists (select 1 from audit_log a where a.target_id = u.id::text and a.action = 'admin.ban'))`
        state.looks++
        state.half += rows.length
      }
    }
    const looking = [look(), look()]
    for (let round = 0; round < 15; round++) {
      const who = await world.member()
      await world.team(who)
      await world.rest()('POST /auth/forgot-password', { email: who.email })
      expect((await ban(who)).status).toBe(200)
    }
    state.isOver = true
    await Promise.all(looking)
    expect(state.looks).toBeGreaterThan(15)
    expect(state.half).toBe(0)
  })
})

describe('T-B4 the blacklist', () => {
  const variantsOf = (local: string, domain: string) => [
    `${local}@${domain}`,
    `${local.toUpperCase()}@${domain.toUpperCase()}`,
    `  ${local}@${domain} `,
    `${local}+1@${domain}`,
    `${local}+a+b@${domain}`,
    `${local}+@${domain}`,
  ]
  const GMAIL = ['gmail.com', 'googlemail.com', 'Gmail.com'].flatMap((domain) =>
    ['karim.alami', 'karimalami', 'k.a.r.i.m.alami', 'KARIM.alami+work', 'karimalami+x.y'].map(
      (local) => `${local}@${domain}`,
    ),
  )
  const register = (email: string, at: number) => {
    const form = { name: 'Karim Alami', email, password, confirmPassword: password }
    return world.rest()('POST /auth/register', form, from(`10.2.${at}.1`))
  }

  it('T-B4 rejects every spelling of a banned address in every registration procedure with a neutral message', async () => {
    const who = await world.member()
    await world.sql`update users set email = 'karim.alami@gmail.com' where id = ${who.id}`
    const plain = await world.member()
    await ban(who)
    await ban(plain)
    const [local = '', domain = ''] = plain.email.split('@')
    const all = [...GMAIL, ...variantsOf(local, domain)]
    expect(all.length).toBeGreaterThan(20)
    for (const [at, email] of all.entries()) {
      const refused = await register(email, at)
      expect([email, refused.status, refused.body.code]).toEqual([email, 403, 'EMAIL_REFUSED'])
      expect(refused.body.message).not.toMatch(/ban|black|list/i)
      const form = { name: 'Karim Alami', email }
      const again = await world.rest()('POST /auth/resend-registration-otp', form, from(`10.3.${at}.1`))
      expect([email, again.body.code]).toEqual([email, 'EMAIL_REFUSED'])
      const code = { ...form, password, otp: '123456' }
      const verified = await world.rest()('POST /auth/verify-registration-otp', code, from(`10.4.${at}.1`))
      expect([email, verified.status < 300]).toEqual([email, false])
    }
    for (const [at, email] of [
      'karimalami1@gmail.com',
      'karim-alami@gmail.com',
      'karim.alami@gmail.co',
      'karim.alami@mail.gmail.com',
      `${local}x@${domain}`,
      `x${local}@${domain}`,
      `${local}@mail.${domain}`,
    ].entries())
      expect([email, (await register(email, 100 + at)).status]).toEqual([email, 200])
  })

  it('T-B4 allows registration again after an unban', async () => {
    const who = await world.member()
    const [local, domain] = who.email.split('@')
    await ban(who)
    expect((await register(`${local}+again@${domain}`, 1)).status).toBe(403)
    await world.rest(admin)(`POST /admin/unban/${who.id}`, { password })
    expect((await register(`${local}+again@${domain}`, 2)).status).toBe(200)
  })
})

describe('T-J6 deleting a user as an administrator', () => {
  /** Every value of every text column, arrays and documents included, with the table it stands in. */
  async function allTexts(of: World): Promise<{ place: string; value: string }[]> {
    const columns = await of.sql<{ table: string; column: string }[]>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type not in ('boolean', 'integer', 'smallint', 'bigint')`
    const texts: { place: string; value: string }[] = []
    for (const { table, column } of columns) {
      const rows = await of.sql<{ value: string }[]>`
        select distinct ${of.sql(column)}::text as value from ${of.sql(table)} where ${of.sql(column)} is not null`
      texts.push(...rows.map(({ value }) => ({ place: `${table}.${column}`, value })))
    }
    return texts
  }
  const placesWith = (texts: { place: string; value: string }[], word: string) => [
    ...new Set(texts.filter(({ value }) => value.toLowerCase().includes(word.toLowerCase())).map(({ place }) => place)),
  ]

  it('T-J6 leaves no personal data in any column and keeps the team’s points and the audit log', async () => {
    const own = await openWorld()
    const boss = await own.admin()
    const [who, mate] = [await own.member('Sentinelle Bensouda'), await own.member()]
    const phone = '0677889911'
    await own.rest(who)('PUT /users/profile', { phone, bio: 'sentinelle bio', github: 'https://github.com/sentinelle' })
    const [role = { id: '' }] = await rolesOf(own.db)
    const team = await own.team(mate, { rolesNeeded: [role] })
    const { id: _inPath, ...form } = validInput('teams.join', {
      id: team.id,
      role,
      name: who.name,
      email: who.email,
      phone,
      bio: 'sentinelle bio',
    })
    await own.rest(who)(`POST /teams/${team.id}/join`, form)
    const challenge = await own.challenge(boss)
    const work = { type: 'link', content: 'https://example.ma/work', teamName: team.name }
    const { body } = await own.rest(who)(`POST /challenges/${challenge.id}/submit`, work)
    const verdict = { status: 'approved', score: 80 }
    await own.rest(boss)(`POST /submissions/${body.data.submission.id}/evaluate`, verdict)
    await own.rest(boss)('POST /admin/warnings', { userId: who.id, reason: 'Please be kind', password })
    await own.rest()('POST /auth/forgot-password', { email: who.email })
    await own.rest()('POST /auth/login', { email: who.email, password: 'Wrong-2026' })
    await own.mail(who.email)
    const before = await allTexts(own)
    for (const word of [who.email, who.name, phone, 'sentinelle bio'])
      expect(placesWith(before, word).length).toBeGreaterThan(0)
    const log = await own.sql`select id, action, actor_id, target_id from audit_log order by id`

    const done = await own.rest(boss)(`DELETE /admin/users/${who.id}`, { password })
    expect(done.status).toBe(200)
    const after = await allTexts(own)
    for (const word of [who.email, who.name, phone, 'sentinelle', who.token, who.refreshToken])
      expect([word, placesWith(after, word)]).toEqual([word, []])
    // Their id says who the entries of the log are about, and nothing else does.
    expect(placesWith(after, who.id)).toEqual(['audit_log.target_id'])

    const kept = await own.sql`select id, action, actor_id, target_id from audit_log order by id`
    expect(kept.slice(0, -1)).toEqual(log)
    expect(kept.at(-1)).toMatchObject({ action: 'admin.deleteUser', actor_id: boss.id, target_id: who.id })
    const { submission } = (await own.rest(mate)(`GET /submissions/${body.data.submission.id}`)).body.data
    expect(submission).toMatchObject({ status: 'approved', score: 80, points: 80, submittedBy: null })
    expect((await own.rest(mate)(`GET /teams/${team.id}`)).body.data.team).toMatchObject({ points: 80, memberCount: 1 })
    await expectInvariants(own.db)
    await own.close()
  })
})
