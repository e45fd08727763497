import { overAll, tally } from '../harness/client.ts'
import { joinRequest, makeTeam } from '../harness/community.ts'
import { byTier, type Guarantee } from '../guarantee.ts'

const AT_ONCE = 50

export const guarantee: Guarantee = {
  id: 'R1',
  statement: 'Of fifty who take a last seat at once, over one to three processes, exactly one gets it',
  async run(context) {
    const { violations } = context
    // A third of them with each number of processes.
    const repetitions = byTier(context, { short: 60, full: 3000, long: 3000 })
    const fixture = await context.open({ servers: 3 })
    const crowd = await fixture.people.members(AT_ONCE)
    for (let round = 0; round < repetitions; round++) {
      const processes = (round % 3) + 1
      const team = await makeTeam(fixture.client, await fixture.people.member(), { maxMembers: 2 })
      const joins = crowd.map(({ token }) => ({ ...joinRequest(team.id, team), token }))
      const answers = await overAll(fixture.clients.slice(0, processes), joins)
      const found = tally(answers)
      if (found['201'] !== 1 || found['409 TEAM_FULL'] !== AT_ONCE - 1)
        violations.push(`round ${round}, ${processes} processes: ${JSON.stringify(found)}`)
    }
    return { repetitions, 'joins at once': AT_ONCE, processes: '1, 2 and 3' }
  },
}
