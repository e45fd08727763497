import { observeStatements } from '@community/db'
import { expectInvariants } from '@community/testing/database/invariants'
import { afterAll, expect, it } from 'vitest'
import { openWorkFixture } from '../../test/work-fixture.ts'

const fixture = await openWorkFixture()
afterAll(() => fixture.close())

it('updates the counts of all challenges in one statement', async () => {
  const team = await fixture.createTeam()
  const other = await fixture.createTeam()
  for (const maxSubmissions of [1, 2, 3]) {
    const { id } = await fixture.createChallenge({ maxSubmissions })
    await fixture.applyWithLink(other, id)
    for (let applied = 0; applied < maxSubmissions; applied++)
      await fixture.applyWithLink(team, id, { content: `https://github.com/atlas-lions/${applied}` })
  }
  const updates: string[] = []
  const endObservation = observeStatements((text, send) => {
    if (/update "?challenges/.test(text)) updates.push(text)
    return send()
  })
  await fixture.asTeamCaller(team.chef).remove({ id: team.id })
  endObservation()
  expect(updates).toHaveLength(1)
  const counts = await fixture.sql`select submission_count from challenges`
  expect(counts.map((row) => row['submission_count'])).toEqual([1, 1, 1])
  await expectInvariants(fixture.db)
})
