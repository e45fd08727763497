import { auditLog, pointsLedger, submissionMembers, teams } from '@community/db/schema'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openMeteredPool } from '../../test/metered-pool.ts'
import { errorCodeOf } from '../../test/fixture.ts'
import { openWorkFixture } from '../../test/work-fixture.ts'
import type { Caller } from '../context.ts'

const fixture = await openWorkFixture()
afterEach(() => expectInvariants(fixture.db))
afterAll(() => fixture.close())

const standingOf = async (id: string) => {
  const [row] = await fixture.db.select().from(teams).where(eq(teams.id, id))
  if (!row) throw new Error('no such team')
  return row
}
const ledgerOf = (submissionId: string) =>
  fixture.db.select().from(pointsLedger).where(eq(pointsLedger.submissionId, submissionId))
const auditOf = (id: string) =>
  fixture.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.targetId, id), eq(auditLog.action, 'submissions.evaluate')))

describe('a verdict', () => {
  it('of approval awards points by score, halves rounded up, and updates the team’s standing', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge({ points: 150 })
    const work = await fixture.applyWithLink(team, id)
    const { data, message } = await fixture
      .as(fixture.judge)
      .evaluate({ id: work, status: 'approved', score: 87, feedback: 'Beautiful\r\nwork' })
    expect(message).toBe('Submission evaluated successfully')
    expect(data.submission).toMatchObject({
      status: 'approved',
      score: 87,
      points: 131,
      feedback: 'Beautiful\nwork',
      evaluatedBy: { id: fixture.judge.id, name: fixture.judge.name },
    })
    expect(data.submission.evaluatedAt).not.toBeNull()
    const standing = await standingOf(team.id)
    expect(standing).toMatchObject({ points: 131, challengesCompleted: 1 })
    expect(standing.pointsReachedAt).not.toBeNull()
    expect(await ledgerOf(work)).toMatchObject([{ teamId: team.id, challengeId: id, reason: 'award', delta: 131 }])
  })

  it('of rejection has feedback but neither score nor points, even if a score is sent', async () => {
    const team = await fixture.createTeam()
    const work = await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
    const { data } = await fixture
      .as(fixture.judge)
      .evaluate({ id: work, status: 'rejected', score: 90, feedback: 'The link is dead' })
    expect(data.submission).toMatchObject({
      status: 'rejected',
      score: null,
      points: null,
      feedback: 'The link is dead',
    })
    expect(await standingOf(team.id)).toMatchObject({ points: 0, challengesCompleted: 0, pointsReachedAt: null })
    expect(await ledgerOf(work)).toEqual([])
  })

  it('without feedback stores null', async () => {
    const work = await fixture.applyWithLink(await fixture.createTeam(), (await fixture.createChallenge()).id)
    const { data } = await fixture.as(fixture.judge).evaluate({ id: work, status: 'approved', score: 1, feedback: '' })
    expect(data.submission.feedback).toBeNull()
  })

  it('is audited once', async () => {
    const work = await fixture.applyWithLink(await fixture.createTeam(), (await fixture.createChallenge()).id)
    await fixture.as(fixture.judge).evaluate({ id: work, status: 'approved', score: 40 })
    await errorCodeOf(fixture.as(fixture.judge).evaluate({ id: work, status: 'rejected' }))
    const entries = await auditOf(work)
    expect(entries).toMatchObject([
      { actorId: fixture.judge.id, details: { status: 'approved', score: 40, points: 40, delta: 40 } },
    ])
  })

  it('is audited with the change of the points: none for a rejection, also after an award that was reset', async () => {
    const work = await fixture.applyWithLink(await fixture.createTeam(), (await fixture.createChallenge()).id)
    const judge = fixture.as(fixture.judge)
    await judge.evaluate({ id: work, status: 'approved', score: 40 })
    await judge.reset({ id: work })
    await judge.evaluate({ id: work, status: 'approved', score: 30 })
    await judge.reset({ id: work })
    await judge.evaluate({ id: work, status: 'rejected' })
    expect((await auditOf(work)).map(({ details }) => details.delta)).toEqual([40, 30, 0])
  })

  it('takes 8 statements, all prepared, in three round trips', async () => {
    const pool = await openMeteredPool(fixture)
    const approve = async () => {
      const id = await fixture.applyWithLink(await fixture.createTeam(), (await fixture.createChallenge()).id)
      return pool.measure(() => fixture.as(fixture.judge, pool.db).evaluate({ id, status: 'approved', score: 1 }))
    }
    // Prepares the statements.
    await approve()
    const cost = await approve()
    expect(cost).toEqual({ count: 8, unprepared: ['begin '] })
    expect(pool.roundTrips()).toBe(3)
  })

  it('returns what a later read returns', async () => {
    const { id } = await fixture.createChallenge({ maxSubmissions: 3 })
    const team = await fixture.createTeam()
    const file = await fixture.createUpload(team.chef)
    const works = [
      await fixture.applyWithLink(team, id),
      await fixture.applyWithLink(team, id, { type: 'upload', content: file.secureUrl, applicationNotes: 'Read me' }),
    ]
    const judge = fixture.as(fixture.judge)
    for (const work of works)
      for (const verdict of [
        { status: 'rejected' },
        { status: 'approved', score: 87, feedback: 'Beautiful' },
      ] as const) {
        const { data } = await judge.evaluate({ id: work, ...verdict })
        expect(data.submission).toEqual((await judge.submission({ id: work })).data.submission)
        await judge.reset({ id: work })
      }
  })

  it('is accepted once, and only for an existing submission', async () => {
    const { id } = await fixture.createChallenge({ maxSubmissions: 2 })
    const team = await fixture.createTeam()
    const [first, second] = [await fixture.applyWithLink(team, id), await fixture.applyWithLink(team, id)]
    const judge = fixture.as(fixture.judge)
    await judge.evaluate({ id: first, status: 'approved', score: 50 })
    await judge.evaluate({ id: second, status: 'rejected' })
    for (const done of [first, second])
      for (const status of ['approved', 'rejected'] as const)
        expect(await errorCodeOf(judge.evaluate({ id: done, status, score: 100 }))).toBe('NOT_PENDING')
    expect(await errorCodeOf(judge.evaluate({ id: team.id, status: 'rejected' }))).toBe('SUBMISSION_MISSING')
    expect(await standingOf(team.id)).toMatchObject({ points: 50 })
  })
})

describe('points', () => {
  it('count the best approved submission of a challenge once', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge({ maxSubmissions: 3 })
    const deltas: (number | undefined)[] = []
    for (const score of [40, 30, 90]) {
      const work = await fixture.applyWithLink(team, id)
      await fixture.as(fixture.judge).evaluate({ id: work, status: 'approved', score })
      deltas.push((await ledgerOf(work))[0]?.delta)
    }
    expect(deltas).toEqual([40, 0, 50])
    expect(await standingOf(team.id)).toMatchObject({ points: 90, challengesCompleted: 1 })
  })

  it('keep the team’s place in a tie if a verdict does not change them', async () => {
    const team = await fixture.createTeam()
    const { id } = await fixture.createChallenge({ maxSubmissions: 2 })
    await fixture
      .as(fixture.judge)
      .evaluate({ id: await fixture.applyWithLink(team, id), status: 'approved', score: 40 })
    const { pointsReachedAt } = await standingOf(team.id)
    await fixture
      .as(fixture.judge)
      .evaluate({ id: await fixture.applyWithLink(team, id), status: 'approved', score: 20 })
    expect((await standingOf(team.id)).pointsReachedAt).toEqual(pointsReachedAt)
  })

  it('do not change when the challenge’s points change later', async () => {
    const team = await fixture.createTeam()
    const challenge = await fixture.createChallenge({ points: 100, maxSubmissions: 2 })
    const first = await fixture.applyWithLink(team, challenge.id)
    await fixture.as(fixture.judge).evaluate({ id: first, status: 'approved', score: 50 })
    await fixture.patchChallenge(challenge.id, { points: 1000 })
    const other = await fixture.createChallenge({ points: 10 })
    await fixture
      .as(fixture.judge)
      .evaluate({ id: await fixture.applyWithLink(team, other.id), status: 'approved', score: 100 })
    expect((await fixture.getSubmission(first)).points).toBe(50)
    expect(await standingOf(team.id)).toMatchObject({ points: 60, challengesCompleted: 2 })
  })

  it('rank the teams by points, then by who reached them first', async () => {
    const teams = [await fixture.createTeam(), await fixture.createTeam(), await fixture.createTeam()]
    const { id } = await fixture.createChallenge({ points: 1000 })
    for (const [n, score] of [
      [0, 80],
      [2, 90],
      [1, 90],
    ] as const) {
      const team = teams[n]
      if (team)
        await fixture
          .as(fixture.judge)
          .evaluate({ id: await fixture.applyWithLink(team, id), status: 'approved', score })
    }
    const { data } = await fixture.asTeamCaller(null).leaderboard({})
    expect(data.leaderboard.slice(0, 3).map((row) => [row.rank, row.id, row.points])).toEqual([
      [1, teams[2]?.id, 900],
      [2, teams[1]?.id, 900],
      [3, teams[0]?.id, 800],
    ])
  })
})

describe('the evaluator', () => {
  const makeAdmin = (id: string) => fixture.sql`update users set role = 'admin' where id = ${id}`
  /** What the reads of administrators say about a pending submission. */
  const canEvaluate = async (admin: Caller, id: string) => {
    const { submissions, pending, submission } = fixture.as(admin)
    const teamName = (await submission({ id })).data.submission.teamId.name
    const updatedSince = new Date(Date.now() - 3_600_000).toISOString()
    const lists = await Promise.all([
      submissions({ limit: 100 }),
      submissions({ limit: 100, search: teamName }),
      pending({ limit: 100 }),
      pending({ limit: 100, updatedSince }),
    ])
    const rows = lists.map(({ data }) => data.submissions.find((row) => row.id === id))
    return [...rows, (await submission({ id })).data.submission].map((row) => row?.canEvaluate)
  }
  const everyRead = (value: boolean) => Array.from({ length: 5 }, () => value)

  it('cannot be in the team', async () => {
    const member = await fixture.createMember()
    const team = await fixture.createTeam({ members: [member] })
    const work = await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
    await makeAdmin(member.id)
    const judge = { ...member, role: 'admin' as const }
    expect(await errorCodeOf(fixture.as(judge).evaluate({ id: work, status: 'approved', score: 100 }))).toBe('OWN_TEAM')
    expect((await fixture.getSubmission(work)).status).toBe('pending')
    expect(await canEvaluate(judge, work)).toEqual(everyRead(false))
    expect(await canEvaluate(fixture.judge, work)).toEqual(everyRead(true))
  })

  it('cannot be a former member, in the snapshot or not', async () => {
    const [before, during] = [await fixture.createMember(), await fixture.createMember()]
    const team = await fixture.createTeam({ members: [before, during] })
    await fixture.asTeamCaller(before).leave({ id: team.id })
    const work = await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
    await fixture.asTeamCaller(during).leave({ id: team.id })
    for (const past of [before, during]) {
      await makeAdmin(past.id)
      const judge = { ...past, role: 'admin' as const }
      expect(await errorCodeOf(fixture.as(judge).evaluate({ id: work, status: 'rejected' }))).toBe('OWN_TEAM')
      expect(await canEvaluate(judge, work)).toEqual(everyRead(false))
    }
  })

  it('cannot be in the snapshot, even without other records of the membership', async () => {
    const team = await fixture.createTeam()
    const work = await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
    const admin = await fixture.createAdmin()
    await fixture.db.insert(submissionMembers).values({ submissionId: work, userId: admin.id })
    expect(await errorCodeOf(fixture.as(admin).evaluate({ id: work, status: 'rejected' }))).toBe('OWN_TEAM')
    expect(await canEvaluate(admin, work)).toEqual(everyRead(false))
  })

  it('is no question to members and in public lists', async () => {
    const team = await fixture.createTeam()
    const { id: challengeId } = await fixture.createChallenge({ maxSubmissions: 2 })
    const work = await fixture.applyWithLink(team, challengeId)
    expect((await fixture.as(team.chef).submission({ id: work })).data.submission).not.toHaveProperty('canEvaluate')
    await fixture.as(fixture.judge).evaluate({ id: work, status: 'approved', score: 1 })
    for (const search of ['', team.name]) {
      const { data } = await fixture.as(fixture.judge).works({ search })
      expect(data.submissions.find(({ id }) => id === work)).not.toHaveProperty('canEvaluate')
    }
  })

  it('is rejected if the role was revoked after the password check', async () => {
    const work = await fixture.applyWithLink(await fixture.createTeam(), (await fixture.createChallenge()).id)
    const admin = await fixture.createAdmin()
    await fixture.sql`update users set role = 'member' where id = ${admin.id}`
    expect(await errorCodeOf(fixture.as(admin).evaluate({ id: work, status: 'rejected' }))).toBe('ADMINS_ONLY')
  })
})

describe('concurrent verdicts', () => {
  it('result in one verdict and its points once, in 40 races of 8 on two pools', async () => {
    const judges = await Promise.all(Array.from({ length: 8 }, () => fixture.createAdmin()))
    const pools = [fixture.db, fixture.openPool().db]
    const team = await fixture.createTeam()
    let expected = 0
    for (let round = 0; round < 40; round++) {
      const work = await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
      const outcomes = await Promise.allSettled(
        judges.map((judge, n) =>
          fixture
            .as(judge, pools[n % 2])
            .evaluate({ id: work, ...(n % 3 === 0 ? { status: 'rejected' } : { status: 'approved', score: 10 + n }) }),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const { status, points } = await fixture.getSubmission(work)
      expect(status).not.toBe('pending')
      expected += points ?? 0
      expect(await auditOf(work)).toHaveLength(1)
      expect(await ledgerOf(work)).toHaveLength(status === 'approved' ? 1 : 0)
    }
    expect(await standingOf(team.id)).toMatchObject({ points: expected })
  })

  it('on several submissions of one team add up', async () => {
    const team = await fixture.createTeam()
    const works: string[] = []
    for (let n = 0; n < 12; n++) works.push(await fixture.applyWithLink(team, (await fixture.createChallenge()).id))
    await Promise.all(
      works.map((id, n) => fixture.as(fixture.judge).evaluate({ id, status: 'approved', score: n + 1 })),
    )
    expect(await standingOf(team.id)).toMatchObject({ points: 78, challengesCompleted: 12 })
  })
})
