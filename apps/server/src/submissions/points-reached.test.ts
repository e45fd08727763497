import { challenges, notifications, pointsLedger, teams } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { type FixtureTeam, openWorkFixture } from '../../test/work-fixture.ts'

const fixture = await openWorkFixture()
afterEach(async () => {
  await expectInvariants(fixture.db)
  await fixture.db.delete(challenges)
  await fixture.db.delete(teams)
})
afterAll(() => fixture.close())

const password = 'Zellige-2026'
const judge = () => fixture.as(fixture.judge)
const evaluate = (id: string, score: number) => judge().evaluate({ id, status: 'approved', score })
/** Approves a work of a new challenge, so that its points are its score. */
const award = async (team: FixtureTeam, score: number): Promise<string> => {
  const { id } = await fixture.createChallenge({ points: 100 })
  const work = await fixture.applyWithLink(team, id)
  await evaluate(work, score)
  return work
}
const evaluateAgain = async (id: string, score: number) => {
  await judge().reset({ id })
  await evaluate(id, score)
}
const reachedAt = async ({ id }: FixtureTeam) => {
  const [row] = await fixture.db.select({ at: teams.pointsReachedAt }).from(teams).where(eq(teams.id, id))
  return row?.at?.getTime() ?? null
}
const ranking = async () =>
  (await fixture.asTeamCaller(null).leaderboard({})).data.leaderboard.map(({ name, points }) => [name, points])
const topThreeNotices = async () =>
  (await fixture.db.select().from(notifications).where(eq(notifications.kind, 'team.top-three'))).length
const createTeams = async () => [await fixture.createTeam(), await fixture.createTeam()] as const

describe('an evaluation that is repeated', () => {
  it('with the same score keeps the place in a tie, and announces no entry into the top three', async () => {
    const [first, second] = await createTeams()
    const work = await award(first, 80)
    await award(second, 80)
    const [time, notices] = [await reachedAt(first), await topThreeNotices()]
    await evaluateAgain(work, 80)
    await evaluateAgain(work, 80)
    expect(await ranking()).toEqual([
      [first.name, 80],
      [second.name, 80],
    ])
    expect(await reachedAt(first)).toBe(time)
    expect(await topThreeNotices()).toBe(notices)
  })

  it('with a lower score counts from when the team had those points first', async () => {
    const [first, second] = await createTeams()
    const work = await award(first, 100)
    await award(second, 70)
    const time = await reachedAt(first)
    await evaluateAgain(work, 70)
    expect(await reachedAt(first)).toBe(time)
    expect((await ranking())[0]).toEqual([first.name, 70])
  })

  it('after a rejection and a resubmission counts from then', async () => {
    const [first, second] = await createTeams()
    const work = await award(first, 80)
    const notices = await topThreeNotices()
    await judge().reset({ id: work })
    await judge().evaluate({ id: work, status: 'rejected' })
    await award(second, 80)
    await fixture.as(first.chef).resubmit({ id: work, status: 'pending' })
    await evaluate(work, 80)
    expect(await ranking()).toEqual([
      [second.name, 80],
      [first.name, 80],
    ])
    expect(await topThreeNotices()).toBe(notices + 2)
  })

  it('with a higher score counts from then', async () => {
    const [first, second] = await createTeams()
    const work = await award(first, 60)
    await award(second, 90)
    await evaluateAgain(work, 90)
    expect(await ranking()).toEqual([
      [second.name, 90],
      [first.name, 90],
    ])
  })

  it('after another work keeps the time of that one', async () => {
    const [first, second] = await createTeams()
    const work = await award(first, 50)
    await judge().reset({ id: work })
    await award(first, 30)
    await award(second, 80)
    await evaluate(work, 50)
    expect((await ranking())[0]).toEqual([first.name, 80])
    const time = await reachedAt(first)
    await award(first, 10)
    await evaluateAgain(work, 40)
    expect(await reachedAt(first)).toBe(time)
  })

  it('announces the top three to a team that its new score brings there', async () => {
    const team = await fixture.createTeam()
    for (let n = 0; n < 3; n++) await award(await fixture.createTeam(), 50)
    const work = await award(team, 10)
    const notices = await topThreeNotices()
    await evaluateAgain(work, 10)
    expect(await topThreeNotices()).toBe(notices)
    await evaluateAgain(work, 60)
    expect(await topThreeNotices()).toBe(notices + 1)
    await evaluateAgain(work, 70)
    expect(await topThreeNotices()).toBe(notices + 1)
  })
})

describe('points that a team still has', () => {
  it('count from when it reached them, while another work waits after a reset', async () => {
    const [first, second] = await createTeams()
    await award(first, 40)
    const time = await reachedAt(first)
    const work = await award(first, 50)
    await award(second, 40)
    await judge().reset({ id: work })
    expect(await reachedAt(first)).toBe(time)
    expect((await ranking())[0]).toEqual([first.name, 40])
    await judge().evaluate({ id: work, status: 'rejected' })
    expect(await reachedAt(first)).toBe(time)
  })

  it('count from when it reached them, after the deletion of a work', async () => {
    const [first, second] = await createTeams()
    await award(first, 40)
    const time = await reachedAt(first)
    const work = await award(first, 50)
    await award(second, 40)
    await judge().remove({ id: work, password })
    expect(await reachedAt(first)).toBe(time)
    expect((await ranking())[0]).toEqual([first.name, 40])
  })
})

/** The rule, step by step: the totals of the ledger, in which a reset and the next award of the same work cancel out. */
function reachedAtByRule(ledger: (typeof pointsLedger.$inferSelect)[], points: number): number | null {
  const changes = ledger.map(({ delta }) => delta)
  ledger.forEach(({ submissionId, reason }, index) => {
    if (submissionId === null || reason !== 'reset') return
    const again = ledger.findIndex((entry, other) => other > index && entry.submissionId === submissionId)
    if (again < 0) return
    const restored = Math.min(-(changes[index] ?? 0), changes[again] ?? 0)
    changes[index] = (changes[index] ?? 0) + restored
    changes[again] = (changes[again] ?? 0) - restored
  })
  let [total, since] = [0, null as number | null]
  changes.forEach((change, index) => {
    total += change
    if (total < points) since = null
    else since ??= ledger[index]?.createdAt.getTime() ?? null
  })
  return points === 0 ? null : since
}

const verdict = fc.record({
  work: fc.nat(3),
  what: fc.constantFrom('approve' as const, 'reject' as const, 'reset' as const, 'delete' as const, 'repeat' as const),
  score: fc.constantFrom(20, 40, 60),
})

it('the time of a team’s points follows the ledger after any verdicts, resets and deletions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(verdict, { minLength: 4, maxLength: 16 }), async (verdicts) => {
      const team = await fixture.createTeam()
      const [single, shared] = [
        await fixture.createChallenge({ points: 100, maxSubmissions: 2 }),
        await fixture.createChallenge({ points: 100, maxSubmissions: 2 }),
      ]
      const works: string[] = []
      let pointsBefore = 0
      for (const { id } of [single, single, shared, shared]) works.push(await fixture.applyWithLink(team, id))
      for (const { work, what, score } of verdicts) {
        const id = works[work] ?? ''
        const before = await reachedAt(team)
        const { score: current } = await fixture.getSubmission(id).catch(() => ({ score: null }))
        if (what === 'approve') await evaluate(id, score).catch(() => null)
        else if (what === 'reject')
          await judge()
            .evaluate({ id, status: 'rejected' })
            .catch(() => null)
        else if (what === 'reset')
          await judge()
            .reset({ id })
            .catch(() => null)
        else if (what === 'delete')
          await judge()
            .remove({ id, password })
            .catch(() => null)
        else if (current !== null) {
          await evaluateAgain(id, current)
          expect(await reachedAt(team)).toBe(before)
        }
        const ledger = await fixture.db.select().from(pointsLedger).where(eq(pointsLedger.teamId, team.id))
        const points = ledger.reduce((sum, { delta }) => sum + delta, 0)
        const byId = ledger.toSorted((one, other) => one.id - other.id)
        // Points that stay keep their time, also if a deletion takes the submission from the entries that cancelled out.
        expect(await reachedAt(team)).toBe(points === pointsBefore ? before : reachedAtByRule(byId, points))
        pointsBefore = points
      }
    }),
    { numRuns: 30 },
  )
}, 60_000)
