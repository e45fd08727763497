import { standingOf as standingByRule } from '@community/contract'
import { submissions, teams } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openWorkFixture } from '../../test/work-fixture.ts'

const fixture = await openWorkFixture()
afterAll(() => fixture.close())

const priceAndLimit = fc.record({
  points: fc.integer({ min: 1, max: 1000 }),
  maxSubmissions: fc.integer({ min: 1, max: 5 }),
})
const judged = fc.record({
  challenge: fc.nat(2),
  score: fc.option(fc.integer({ min: 1, max: 100 })),
  newPrice: fc.option(fc.integer({ min: 1, max: 1000 })),
})

it('a team’s standing matches `standingOf` after any verdicts and changes of points', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(priceAndLimit, { minLength: 3, maxLength: 3 }),
      fc.array(judged, { minLength: 1, maxLength: 12 }),
      async (prices, verdicts) => {
        const team = await fixture.createTeam()
        const challenges: { id: string }[] = []
        for (const price of prices) challenges.push(await fixture.createChallenge(price))
        for (const { challenge, score, newPrice } of verdicts) {
          const { id } = challenges[challenge] ?? { id: '' }
          const work = await fixture.applyWithLink(team, id).catch(() => null)
          if (work === null) continue
          if (newPrice !== null) await fixture.patchChallenge(id, { points: newPrice })
          const verdict = score === null ? { status: 'rejected' as const } : { status: 'approved' as const, score }
          await fixture.as(fixture.judge).evaluate({ id: work, ...verdict })
        }
        const rows = await fixture.db.select().from(submissions).where(eq(submissions.teamId, team.id))
        const [standing] = await fixture.db
          .select({ points: teams.points, challengesCompleted: teams.challengesCompleted })
          .from(teams)
          .where(eq(teams.id, team.id))
        expect(standing).toEqual(standingByRule(rows))
      },
    ),
    { numRuns: 40 },
  )
  await expectInvariants(fixture.db)
}, 60_000)
