import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '@community/db'
import { writeVerdict } from '../src/submissions/commands.ts'
import { openTestServer } from './test-server.ts'

// Use cases enforce the rules under locks. Constraints catch a use case that misses its lock.
let team: string
let member: string
const server = await openTestServer()
const challenge = (await server.createChallenge(await server.createAdmin())).id
beforeEach(async () => {
  const chef = await server.createMember()
  member = chef.id
  team = (await server.createTeam(chef)).id
})
afterAll(() => server.close())

const constraintOf = async (statement: PromiseLike<unknown>): Promise<string> => {
  try {
    await statement
    return 'none'
  } catch (error) {
    return (error as { constraint_name?: string }).constraint_name ?? String(error)
  }
}
const join = (userId: string, isChef = false) => server.sql`
  insert into team_members (team_id, user_id, name, email, is_chef) values (${team}, ${userId}, 'x', 'x@example.ma', ${isChef})`
const insertSubmission = (over: Record<string, unknown> = {}) => server.sql`
  insert into submissions ${server.sql({ team_id: team, challenge_id: challenge, type: 'link', content: 'https://example.ma/', submitted_by: member, ...over })} returning id`
const upload = async () =>
  (
    await server.sql`insert into uploads (key, user_id, original_name, size, mime_type) values (${crypto.randomUUID()}, ${member}, 'a.png', 1, 'image/png') returning id`
  )[0]?.id as string

describe('the constraints reject', () => {
  it('a second membership of one user', async () => expect(await constraintOf(join(member))).toBe('team_members_once'))

  it('a second chef', async () => {
    const other = await server.createMember()
    expect(await constraintOf(join(other.id, true))).toBe('team_members_one_chef')
  })

  it('more members than the team’s maximum', async () => {
    const over = server.sql`update teams set member_count = max_members + 1 where id = ${team}`
    expect(await constraintOf(over)).toBe('teams_member_count')
  })

  it('an owner of an empty team, and an empty active team', async () => {
    await server.sql`delete from team_members where team_id = ${team}`
    const empty = (more: string) => server.sql.unsafe(`update teams set member_count = 0${more} where id = '${team}'`)
    expect(await constraintOf(empty(', is_active = false'))).toBe('teams_chef_of_members')
    expect(await constraintOf(empty(', owner_id = null'))).toBe('teams_empty_is_inactive')
  })

  it('a duplicate name in any spelling', async () => {
    const [other] = await server.sql`select name_key from teams where id = ${team}`
    const twin = server.sql`insert into teams (name, name_key, description, member_count) values ('x', ${other?.name_key}, 'x', 1)`
    expect(await constraintOf(twin)).toBe('teams_name_unique')
  })

  it('a duplicate email address in any case', async () => {
    const [person] = await server.sql`select email from users where id = ${member}`
    const twin = (email: string) =>
      server.sql`insert into users (name, email, search_text) values ('Twin', ${email}, '')`
    expect(await constraintOf(twin(String(person?.email)))).toBe('users_email_unique')
    expect(await constraintOf(twin(String(person?.email).toUpperCase()))).toMatch(/^users_email_(folded|unique)$/)
  })

  it('a banned administrator', async () => {
    const both = server.sql`update users set is_banned = true, ban_reason = 'x', banned_at = now(), role = 'admin' where id = ${member}`
    expect(await constraintOf(both)).toBe('users_admin_not_banned')
  })

  it('one upload in two submissions', async () => {
    const uploadId = await upload()
    await insertSubmission({ type: 'upload', upload_id: uploadId })
    expect(await constraintOf(insertSubmission({ type: 'upload', upload_id: uploadId }))).toBe(
      'submissions_upload_once',
    )
  })

  it('a score without approval, a score out of range, and a verdict without a time', async () => {
    expect(await constraintOf(insertSubmission({ score: 50 }))).toBe('submissions_score')
    expect(await constraintOf(insertSubmission({ status: 'rejected', score: null }))).toBe('submissions_verdict')
    const approved = { status: 'approved', points: 1, evaluated_at: '2026-11-01T00:00:00Z' }
    expect(await constraintOf(insertSubmission({ ...approved, score: 101 }))).toBe('submissions_score_range')
    expect(await constraintOf(insertSubmission({ ...approved, score: 50, points: null }))).toBe('submissions_points')
  })

  it('a sixth attempt at a code', async () => {
    await server.sql`insert into codes (purpose, email, hash, tries, sent_at, expires_at) values ('reset', 'six@example.ma', 'x', 5, now(), now())`
    const sixth = server.sql`update codes set tries = tries + 1 where email = 'six@example.ma'`
    expect(await constraintOf(sixth)).toBe('codes_tries')
  })

  it('two live refresh tokens of one sign-in', async () => {
    const [family] = await server.sql`select id from refresh_families where user_id = ${member}`
    const second = server.sql`insert into refresh_tokens (hash, family_id, generation) values ('second', ${family?.id}, 2)`
    expect(await constraintOf(second)).toBe('refresh_tokens_one_live')
  })

  it('updating or deleting a row of the audit log', async () => {
    expect(await constraintOf(server.sql`update audit_log set action = 'x'`)).toMatch(/append-only/)
    expect(await constraintOf(server.sql`delete from audit_log`)).toMatch(/append-only/)
    expect(await constraintOf(server.sql`truncate audit_log`)).toMatch(/append-only/)
  })
})

it('writes a verdict on pending submissions only', async () => {
  const [row] = await insertSubmission()
  const verdict = { status: 'rejected', score: null, points: null, feedback: null, evaluatedBy: member } as const
  const write = () => inTransaction(server.db, (tx) => writeVerdict(tx, String(row?.id), verdict))
  expect(await write()).toMatchObject({ hasListeners: false })
  expect(await write()).toBeUndefined()
})
