import { tally } from '../harness/client.ts'
import { joinForm, makeTeam } from '../harness/community.ts'
import { openFixture } from '../harness/fixture.ts'
import { byExtent, type Guarantee } from '../guarantee.ts'

const AT_ONCE = 50

export const guarantee: Guarantee = {
  id: 'R1',
  statement: 'Of fifty who take a last seat at once, over one to three processes, exactly one gets it',
  async run(trial) {
    // A third of them with each number of processes.
    const repetitions = byExtent(trial, { short: 60, full: 3000, long: 3000 })
    const violations: string[] = []
    const fixture = await openFixture({ servers: 3 })
    try {
      const crowd = await fixture.people.members(AT_ONCE)
      for (let round = 0; round < repetitions; round++) {
        const processes = (round % 3) + 1
        const clients = fixture.clients.slice(0, processes)
        const [first] = clients
        if (!first) throw new Error('a fixture has a server')
        const team = await makeTeam(first, await fixture.people.member(), { maxMembers: 2 })
        const answers = await Promise.all(
          clients.map((client, turn) =>
            client.together(
              crowd
                .filter((_, place) => place % processes === turn)
                .map(({ token }) => ({ line: `POST /teams/${team.id}/join`, body: joinForm(team), token })),
            ),
          ),
        )
        const found = tally(answers.flat())
        if (found['201'] !== 1 || found['409 TEAM_FULL'] !== AT_ONCE - 1)
          violations.push(`round ${round}, ${processes} processes: ${JSON.stringify(found)}`)
      }
      violations.push(...(await fixture.brokenInvariants()))
    } finally {
      await fixture.close()
    }
    return { figures: { repetitions, 'joins at once': AT_ONCE, processes: '1, 2 and 3' }, violations }
  },
}
