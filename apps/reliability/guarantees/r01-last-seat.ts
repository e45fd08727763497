import { expectTally, type Guarantee } from '../guarantee.ts'
import { callAcrossServers } from '@community/testing/api-client'
import { createTeam, joinRequest } from '@community/testing/community'

const AT_ONCE = 50

export const guarantee: Guarantee = {
  id: 'R1',
  statement: 'Of fifty concurrent joins for the last seat, over one to three processes, exactly one succeeds',
  async run({ byTier, expect, openFixture }) {
    // A third of the rounds with each number of processes.
    const repetitions = byTier({ short: 60, full: 3000 })
    const { client, clients, createMember, createMembers } = await openFixture({ servers: 3 })
    const crowd = await createMembers(AT_ONCE)
    for (let round = 0; round < repetitions; round++) {
      const processes = (round % 3) + 1
      const team = await createTeam(client, await createMember(), { maxMembers: 2 })
      const joins = crowd.map((member) => joinRequest(team, member))
      const responses = await callAcrossServers(clients.slice(0, processes), joins)
      const expected = { '201': 1, '409 TEAM_FULL': AT_ONCE - 1 }
      expectTally(expect, `round ${round}, ${processes} processes`, responses, expected)
    }
    return { repetitions }
  },
}
