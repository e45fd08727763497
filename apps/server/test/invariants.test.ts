import { validInput } from '@community/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { type INVARIANTS, findViolations } from '@community/testing/database/invariants'
import { insertChallenge, rolesOf } from '@community/testing/database/rows'
import { openFixture } from './fixture.ts'

const fixture = await openFixture()
const [role] = await rolesOf(fixture.db)
for (const name of ['First team', 'Second team']) {
  const { team } = (
    await fixture.as(await fixture.createMember()).create(validInput('teams.create', { rolesNeeded: [role], name }))
  ).data
  await fixture.as(await fixture.createMember()).join(validInput('teams.join', { id: team.id, role }))
}
await insertChallenge(fixture.db)
afterAll(() => fixture.close())

const first = `(select id from teams where name = 'First team')`
const second = `(select id from teams where name = 'Second team')`
const owner = `(select owner_id from teams where name = 'First team')`
const submit = (team: string, more = '', values = '') =>
  `insert into submissions (team_id, challenge_id, type, content, submitted_by${more})
    select ${team}, c.id, 'link', 'https://example.ma/', ${owner}${values} from challenges c`
const approve = (points: number) =>
  submit(first, ', status, score, points, evaluated_at', `, 'approved', 80, ${points}, now()`)
const familyOf = `insert into refresh_families (user_id, expires_at) values (${owner}, now() + interval '1 day')`
const ban = `update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${owner}`
const createTokens = (count: number, scopes: string) =>
  `insert into personal_tokens (user_id, name, hash, scopes, expires_at)
    select ${owner}, n, n, '${scopes}', now() + interval '1 day' from generate_series(1, ${count}) n`

const keysOfOwner = (count: number) =>
  `insert into idempotency_keys (owner, key, call, body_hash, lease_until, expires_at)
    select 'somebody', n, 'c', 'h', now(), now() + interval '1 hour' from generate_series(1, ${count}) n`

/** Statements that violate each invariant, dropping constraints where necessary. */
const BREAKING_STATEMENTS: Record<keyof typeof INVARIANTS, string[][]> = {
  'a team counts its members': [[`update teams set member_count = member_count + 1 where id = ${first}`]],
  'a team has no more members than seats, and 11 at most': [
    ['alter table teams drop constraint teams_member_count', `update teams set max_members = 1 where id = ${first}`],
  ],
  'nobody is in a team twice': [
    [
      'alter table team_members drop constraint team_members_once',
      `insert into team_members (team_id, user_id, name, email) values (${first}, ${owner}, 'x', 'x')`,
    ],
  ],
  'a team with members has one chef, who owns it': [
    [`update team_members set is_chef = false where team_id = ${first}`],
    ['drop index team_members_one_chef', `update team_members set is_chef = true where team_id = ${first}`],
    [`update teams set owner_id = (select owner_id from teams where id = ${second}) where id = ${first}`],
  ],
  'a team without members has no owner and is inactive': [
    [`delete from team_members where team_id = ${first}`],
    [
      `delete from team_members where team_id = ${first}`,
      'alter table teams drop constraint teams_chef_of_members',
      `update teams set member_count = 0, is_active = false where id = ${first}`,
    ],
  ],
  'a team has no more open or approved submissions of a challenge than it allows': [[submit(first), approve(80)]],
  'nobody is in two teams that applied to one challenge': [
    [submit(first), submit(second), `insert into submission_members select id, ${owner} from submissions`],
  ],
  'a challenge counts its submissions': [[submit(first)]],
  'a team’s points are the sum of its best approved submission of each challenge': [
    [approve(80)],
    [`update teams set challenges_completed = 1 where id = ${first}`],
    [approve(80), approve(60), `update teams set points = 140, challenges_completed = 1 where id = ${first}`],
  ],
  'the ledger adds up to a team’s points': [
    [`insert into points_ledger (team_id, reason, delta) values (${first}, 'award', 5)`],
  ],
  'exactly the teams with points have a time when they reached them': [
    [`update teams set points = 5 where id = ${first}`],
    [`update teams set points_reached_at = now() where id = ${first}`],
  ],
  'a verdict has a time, and a score from 1 to 100 exactly if it approves': [
    ['alter table submissions drop constraint submissions_score', approve(80), 'update submissions set score = null'],
    [
      'alter table submissions drop constraint submissions_score_range',
      approve(80),
      'update submissions set score = 0',
    ],
    [
      'alter table submissions drop constraint submissions_verdict',
      submit(first),
      'update submissions set evaluated_at = now()',
    ],
    [
      'alter table submissions drop constraint submissions_points',
      approve(80),
      `update submissions set status = 'rejected', score = null`,
    ],
  ],
  'a banned person has no live session, no unrevoked sign-in, no team, and an entry in the blacklist': [[ban]],
  'a person has 20 access tokens at most, for administration only as an administrator, and none while banned': [
    [createTokens(21, '{read}')],
    [createTokens(1, '{read}'), ban],
    [createTokens(1, '{read,admin}')],
  ],
  'a revoked sign-in has no live session': [
    [
      familyOf,
      `insert into sessions (id, user_id, family_id, expires_at)
        select 'hash', user_id, id, now() + interval '1 minute' from refresh_families`,
      'update refresh_families set revoked_at = now()',
    ],
  ],
  'a file in use is marked as attached': [
    [
      `insert into uploads (key, user_id, original_name, size, mime_type) values ('k', ${owner}, 'a.pdf', 1, 'application/pdf')`,
      `insert into submissions (team_id, challenge_id, type, content, upload_id)
        select ${first}, c.id, 'upload', '/files/k', u.id from challenges c, uploads u`,
    ],
  ],
  'a person’s picture is a file of their own, in use': [
    [`update users set avatar_url = 'http://localhost:3000/files/gone/avatar.webp' where id = ${owner}`],
    [
      `insert into uploads (key, user_id, original_name, size, mime_type) values ('k', ${owner}, 'avatar.webp', 1, 'image/webp')`,
      `update users set avatar_url = 'http://localhost:3000/files/k/avatar.webp' where id = ${owner}`,
    ],
  ],
  'the counts equal the rows of their tables': [
    ["insert into counts values ('teams_active', 0, 1)"],
    ["delete from counts where name = 'users_in_good_standing'"],
    ['drop trigger submissions_counted on submissions', submit(first)],
    [submit(first), 'drop trigger submissions_uncounted on submissions', 'delete from submissions'],
  ],
  'a person’s Idempotency-Keys are counted, and 1,000 at most': [
    ["insert into idempotency_owners values ('somebody', 1)"],
    ['drop trigger idempotency_keys_added on idempotency_keys', keysOfOwner(1)],
    [
      'drop trigger idempotency_keys_added on idempotency_keys',
      keysOfOwner(1001),
      "insert into idempotency_owners values ('somebody', 1001)",
    ],
  ],
}

class Rollback extends Error {}

/** The violations after running statements, which are then rolled back. */
async function findViolationsAfter(statements: string[]): Promise<string[]> {
  let found: string[] = []
  const broken = fixture.db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement))
    found = (await findViolations(tx)).map(({ invariant }) => invariant)
    throw new Rollback()
  })
  await expect(broken).rejects.toThrow(Rollback)
  return found
}

describe('the invariants', () => {
  it('hold in a consistent database', async () => {
    expect(await findViolations(fixture.db)).toEqual([])
  })

  const cases = Object.entries(BREAKING_STATEMENTS).flatMap(([invariant, variants]) =>
    variants.map((statements): [string, string[]] => [invariant, statements]),
  )
  it.each(cases)('reports: %s', async (invariant, statements) => {
    expect(await findViolationsAfter(statements)).toContain(invariant)
  })
})
