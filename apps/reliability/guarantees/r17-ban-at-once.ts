import { must } from '../harness/community.ts'
import { ADMIN } from '@community/testing/server'
import { byTier, type Guarantee } from '../guarantee.ts'

const IN_FLIGHT = 6

export const guarantee: Guarantee = {
  id: 'R17',
  statement:
    'Once a ban is answered, the banned person is let through nowhere, on no process, not with requests in flight',
  async run(context) {
    const { violations } = context
    const repetitions = byTier(context, { short: 40, full: 1000, long: 1000 })
    let refusedAfter = 0
    const fixture = await context.open({ servers: 2 })
    const admin = await fixture.people.admin()
    const [first, second] = fixture.clients
    if (!first || !second) throw new Error('a fixture has two servers')
    for (let round = 0; round < repetitions; round++) {
      const { id, token } = await fixture.people.member()
      let isBanned = false
      const use = async (number: number) => {
        const client = number % 2 === 0 ? first : second
        for (let goes = true; goes; ) {
          const wasBanned = isBanned
          const { status } = await client.call('GET /users/profile', { token })
          if (wasBanned && status < 300) violations.push(`round ${round}: let in after the ban`)
          if (wasBanned) refusedAfter++
          goes = !wasBanned
        }
      }
      const inFlight = Array.from({ length: IN_FLIGHT }, (_, number) => use(number))
      const body = { userId: id, reason: 'Spam in every team', password: ADMIN.password }
      await must(first.call('POST /admin/ban', { token: admin.token, body }))
      isBanned = true
      await Promise.all(inFlight)
    }
    return { repetitions, 'calls after a ban, all refused': refusedAfter }
  },
}
