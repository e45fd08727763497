import { challenges, submissionMembers, uploads } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import { clockOf } from '@community/testing/database/clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { errorCodeOf } from '../../test/fixture.ts'
import { openMeteredPool } from '../../test/metered-pool.ts'
import { secondsFromNow, LINK_WORK, openWorkFixture, type WorkFixture } from '../../test/work-fixture.ts'
import { toFailure } from '../http/failure.ts'

let fixture: WorkFixture
beforeAll(async () => {
  fixture = await openWorkFixture()
})
afterAll(async () => {
  await expectInvariants(fixture.db)
  await fixture.close()
})

const submissionCountOf = async (id: string) => {
  const [row] = await fixture.db.select({ n: challenges.submissionCount }).from(challenges).where(eq(challenges.id, id))
  return row?.n
}

describe('applying with a link', () => {
  it('creates a pending submission, counts it, and stores a snapshot of the members', async () => {
    const member = await fixture.createMember()
    const team = await fixture.createTeam({ members: [member] })
    const challenge = await fixture.createChallenge({ points: 250 })
    const { data, message } = await fixture.as(team.chef).apply({
      id: challenge.id,
      teamId: team.id,
      type: 'link',
      content: 'HTTPS://GitHub.com/atlas',
      applicationNotes: 'Sign in as guest',
    })
    expect(message).toBe('Application submitted successfully!')
    expect(data.submission).toEqual({
      id: data.submission.id,
      _id: data.submission.id,
      challengeId: { id: challenge.id, _id: challenge.id, title: challenge.title, points: 250 },
      teamId: { id: team.id, _id: team.id, name: team.name },
      submittedBy: { id: team.chef.id, name: team.chef.name, email: team.chef.email },
      type: 'link',
      content: 'https://github.com/atlas',
      fileInfo: null,
      preview: null,
      metadata: { submissionNotes: 'Sign in as guest' },
      status: 'pending',
      score: null,
      points: null,
      feedback: null,
      evaluatedBy: null,
      createdAt: data.submission.createdAt,
      resubmittedAt: null,
      updatedAt: data.submission.updatedAt,
      evaluatedAt: null,
    })
    expect(await submissionCountOf(challenge.id)).toBe(1)
    const snapshot = await fixture.db
      .select({ userId: submissionMembers.userId })
      .from(submissionMembers)
      .where(eq(submissionMembers.submissionId, data.submission.id))
    expect(new Set(snapshot.map(({ userId }) => userId))).toEqual(new Set([team.chef.id, member.id]))
  })

  it('rejects an unknown challenge or team', async () => {
    const team = await fixture.createTeam()
    const challenge = await fixture.createChallenge()
    const chef = fixture.as(team.chef)
    expect(await errorCodeOf(chef.apply({ id: team.id, teamId: team.id, ...LINK_WORK }))).toBe('CHALLENGE_MISSING')
    const missing = await chef.apply({ id: challenge.id, teamId: challenge.id, ...LINK_WORK }).catch(toFailure)
    expect(missing).toMatchObject({ body: { code: 'TEAM_MISSING', errors: [{ path: 'teamId' }] } })
  })

  it('rejects members, strangers and administrators who are not the chef', async () => {
    const member = await fixture.createMember()
    const team = await fixture.createTeam({ members: [member] })
    const { id } = await fixture.createChallenge()
    for (const caller of [member, await fixture.createMember(), fixture.judge])
      expect(await errorCodeOf(fixture.as(caller).apply({ id, teamId: team.id, ...LINK_WORK }))).toBe('CHEF_REQUIRED')
    expect(await submissionCountOf(id)).toBe(0)
  })

  it('rejects an inactive challenge and an expired one, by the database’s clock', async () => {
    const team = await fixture.createTeam()
    const inactive = await fixture.createChallenge({ isActive: false })
    const expired = await fixture.createChallenge({ deadline: secondsFromNow(-1) })
    const chef = fixture.as(team.chef)
    expect(await errorCodeOf(chef.apply({ id: inactive.id, teamId: team.id, ...LINK_WORK }))).toBe('CHALLENGE_INACTIVE')
    expect(await errorCodeOf(chef.apply({ id: expired.id, teamId: team.id, ...LINK_WORK }))).toBe('CHALLENGE_EXPIRED')
  })

  it('checks the deadline after waiting for the lock, not at the start of the transaction', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge()
    const other = fixture.openPool()
    let attempt: Promise<string> | undefined
    await other.sql.begin(async (tx) => {
      await tx`select id from challenges where id = ${id} for update`
      attempt = errorCodeOf(fixture.as(team.chef).apply({ id, teamId: team.id, ...LINK_WORK }))
      await waitForLockWaiters(1)
      await clockOf(tx).passDeadline(id)
    })
    expect(await attempt).toBe('CHALLENGE_EXPIRED')
  })

  it('rejects an inactive team', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge()
    await fixture.sql`update teams set is_active = false where id = ${team.id}`
    expect(await errorCodeOf(fixture.as(team.chef).apply({ id, teamId: team.id, ...LINK_WORK }))).toBe('TEAM_INACTIVE')
  })

  it('accepts up to maxSubmissions; a rejected one frees its slot', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge({ maxSubmissions: 2 })
    const first = await fixture.applyWithLink(team, id)
    await fixture.applyWithLink(team, id)
    expect(await errorCodeOf(fixture.applyWithLink(team, id))).toBe('ALREADY_APPLIED')
    await fixture.as(fixture.judge).evaluate({ id: first, status: 'rejected' })
    const third = await fixture.applyWithLink(team, id)
    await fixture.as(fixture.judge).evaluate({ id: third, status: 'approved', score: 50 })
    expect(await errorCodeOf(fixture.applyWithLink(team, id))).toBe('ALREADY_APPLIED')
    expect(await submissionCountOf(id)).toBe(3)
  })
})

it('takes 5 statements with a link, in three round trips, and 7 with a file, all prepared', async () => {
  const pool = await openMeteredPool(fixture)
  const team = await fixture.createTeam()
  const { id } = await fixture.createChallenge({ maxSubmissions: 3 })
  const { secureUrl: content } = await fixture.createUpload(team.chef)
  const chef = fixture.as(team.chef, pool.db)
  // Prepares the statements.
  await chef.apply({ id, teamId: team.id, ...LINK_WORK })
  const withLink = await pool.measure(() => chef.apply({ id, teamId: team.id, ...LINK_WORK }))
  expect(withLink).toEqual({ count: 5, unprepared: ['begin '] })
  expect(pool.roundTrips()).toBe(3)
  const withFile = await pool.measure(() => chef.apply({ id, teamId: team.id, type: 'upload', content }))
  expect(withFile).toEqual({ count: 7, unprepared: ['begin '] })
})

it('returns what a later read returns', async () => {
  const team = await fixture.createTeam()
  const { id } = await fixture.createChallenge({ maxSubmissions: 2 })
  const { secureUrl: content } = await fixture.createUpload(team.chef)
  const chef = fixture.as(team.chef)
  for (const work of [LINK_WORK, { type: 'upload' as const, content }]) {
    const { data } = await chef.apply({ id, teamId: team.id, ...work, applicationNotes: 'See the read-me.' })
    const read = await chef.submission({ id: data.submission.id })
    expect(data.submission).toEqual(read.data.submission)
  }
})

describe('a person in two teams', () => {
  it('cannot apply to one challenge twice; the error names the challenge, not the person', async () => {
    const shared = await fixture.createMember('Nadia Berrada')
    const [first, second] = [
      await fixture.createTeam({ members: [shared] }),
      await fixture.createTeam({ members: [shared] }),
    ]
    const challenge = await fixture.createChallenge({ title: 'Riad bookings' })
    await fixture.applyWithLink(first, challenge.id)
    const { body } = toFailure(await fixture.applyWithLink(second, challenge.id).catch((error: unknown) => error))
    expect(body.code).toBe('MEMBER_ALREADY_APPLIED')
    expect(body.message).toContain('Riad bookings')
    expect(body.message).not.toContain('Nadia')
    await fixture.applyWithLink(second, (await fixture.createChallenge()).id)
  })

  it('counts in the teams they belonged to when those applied, not in those joined later', async () => {
    const [leaver, newcomer] = [await fixture.createMember(), await fixture.createMember()]
    const first = await fixture.createTeam({ members: [leaver] })
    const { id } = await fixture.createChallenge()
    await fixture.applyWithLink(first, id)
    await fixture.asTeamCaller(leaver).leave({ id: first.id })
    expect(await errorCodeOf(fixture.applyWithLink(await fixture.createTeam({ members: [leaver] }), id))).toBe(
      'MEMBER_ALREADY_APPLIED',
    )

    await fixture.sql`insert into team_members (team_id, user_id, name, email)
      values (${first.id}, ${newcomer.id}, 'New', 'new@example.ma')`
    await fixture.sql`update teams set member_count = member_count + 1 where id = ${first.id}`
    await fixture.applyWithLink(await fixture.createTeam({ members: [newcomer] }), id)
  })

  it('can apply again once the other team’s submission was rejected', async () => {
    const shared = await fixture.createMember()
    const [first, second] = [
      await fixture.createTeam({ members: [shared] }),
      await fixture.createTeam({ members: [shared] }),
    ]
    const { id } = await fixture.createChallenge()
    const work = await fixture.applyWithLink(first, id)
    await fixture.as(fixture.judge).evaluate({ id: work, status: 'rejected' })
    await fixture.applyWithLink(second, id)
  })
})

describe('applying with a file', () => {
  const attachedAt = async (id: string) => {
    const [row] = await fixture.db.select({ at: uploads.attachedAt }).from(uploads).where(eq(uploads.id, id))
    return row?.at
  }

  it('attaches the caller’s own upload and shows the file data of its row', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge()
    const file = await fixture.createUpload(team.chef, 'تقرير نهائي.pdf')
    const { data } = await fixture.as(team.chef).apply({
      id,
      teamId: team.id,
      type: 'file',
      content: file.secureUrl,
      fileInfo: { originalName: 'other.exe', fileSize: 1, mimeType: 'text/html' },
    })
    expect(data.submission).toMatchObject({
      type: 'upload',
      content: file.secureUrl,
      fileInfo: { originalName: 'تقرير نهائي.pdf', fileSize: 64, mimeType: 'application/pdf' },
    })
    expect(await attachedAt(file.id)).toBeInstanceOf(Date)
  })

  it('rejects a stranger’s file, a used one, one that does not exist, and any other URL', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge({ maxSubmissions: 5 })
    const [mine, foreign] = [
      await fixture.createUpload(team.chef),
      await fixture.createUpload(await fixture.createMember()),
    ]
    const apply = (content: string) => errorCodeOf(fixture.applyWithLink(team, id, { type: 'upload', content }))
    for (const content of [
      foreign.secureUrl,
      mine.secureUrl.replace(mine.key, `20260101-${'a'.repeat(32)}`),
      mine.secureUrl.replace('localhost:3000', 'localhost:3001'),
      mine.secureUrl.replace('/files/', '/other/'),
      'https://github.com/atlas-lions/app',
    ])
      expect(await apply(content)).toBe('FILE_MISSING')
    await fixture.applyWithLink(team, id, { type: 'upload', content: mine.secureUrl })
    expect(await apply(mine.secureUrl)).toBe('FILE_MISSING')
    expect(await attachedAt(foreign.id)).toBeNull()
  })

  it('leaves the file unused if the application is rejected', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge()
    await fixture.applyWithLink(team, id)
    const file = await fixture.createUpload(team.chef)
    expect(await errorCodeOf(fixture.applyWithLink(team, id, { type: 'upload', content: file.secureUrl }))).toBe(
      'ALREADY_APPLIED',
    )
    expect(await attachedAt(file.id)).toBeNull()
  })

  it('accepts an upload for only one of three concurrent applications', async () => {
    const team = await fixture.createTeam()
    const ids = await Promise.all([fixture.createChallenge(), fixture.createChallenge(), fixture.createChallenge()])
    const { secureUrl } = await fixture.createUpload(team.chef)
    const outcomes = await Promise.allSettled(
      ids.map(({ id }) => fixture.applyWithLink(team, id, { type: 'upload', content: secureUrl })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

/** Resolves once this many backends of the database wait for a lock. */
async function waitForLockWaiters(many: number): Promise<void> {
  for (;;) {
    const [row] = await fixture.sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if ((row?.n ?? 0) >= many) return
  }
}
