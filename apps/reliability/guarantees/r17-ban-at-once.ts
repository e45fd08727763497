import { times } from '@community/testing'
import { type Client, dataOf, isSuccess, requestOf } from '@community/testing/api-client'
import type { Guarantee } from '../guarantee.ts'

const IN_FLIGHT = 6

export const guarantee: Guarantee = {
  id: 'R17',
  statement:
    'Once a ban is answered, every request of the banned user is rejected, on every process, even those in flight',
  async run({ byTier, expect, openFixture }) {
    const repetitions = byTier({ short: 40, full: 1000 })
    let callsAfter = 0
    const { client, clients, createAdmin, createMember } = await openFixture({ servers: 2 })
    const admin = await createAdmin()
    for (let round = 0; round < repetitions; round++) {
      const { id, token } = await createMember()
      let isBanned = false
      const callUntilBanned = async (nextClient: Client) => {
        for (let wasBanned = false; !wasBanned; ) {
          wasBanned = isBanned
          const response = await nextClient.call('GET /users/profile', { token })
          if (wasBanned) callsAfter++
          expect(
            !wasBanned || (response.status !== 0 && !isSuccess(response)),
            `round ${round}: ${response.status} after the ban`,
          )
        }
      }
      const inFlight = times(IN_FLIGHT, (number) => callUntilBanned(clients[number % clients.length] ?? client))
      await dataOf(client.call(requestOf('admin.ban', { userId: id }, admin)))
      isBanned = true
      await Promise.all(inFlight)
    }
    return { repetitions, 'calls after a ban, all refused': callsAfter }
  },
}
