import { ADMIN } from '@community/testing/server'
import { anAdmin } from '../tests/admin-steps.ts'
import { applied, judged } from '../tests/challenge-steps.ts'
import { adminToken, call, challenged, type SignedInPerson, word } from '../tests/steps.ts'
import { teamOfThree } from '../tests/team-steps.ts'

/** Who lives here and what they have made: all that is read in trouble, and nothing that trouble changes. */
export interface House {
  boss: SignedInPerson
  chef: SignedInPerson
  mate: SignedInPerson
  team: { id: string; name: string }
  challenge: { id: string; title: string }
  pending: string
}
export type Who = 'visitor' | 'boss' | 'chef' | 'mate'

/** A team of three with a pending, an approved and a rejected work. */
export async function aHouse(): Promise<House> {
  const [boss, { chef, mates, team }, token] = await Promise.all([anAdmin(), teamOfThree(), adminToken()])
  const challenge = await challenged()
  const pending = await applied(chef, team, challenge)
  await judged(await applied(chef, team, await challenged()), { status: 'approved', score: 80 })
  await judged(await applied(chef, team, await challenged()), { status: 'rejected', feedback: 'No source.' })
  // Near its end, and nothing is handed in for it.
  await challenged({ deadline: new Date(Date.now() + 86_400_000).toISOString() })
  await call('POST /admin/blacklist', token, { email: `${word()}${word()}@example.ma`, reason: 'Spam' })
  await call('POST /admin/warnings', token, { userId: mates[1].id, reason: 'Shouting', password: ADMIN.password })
  return { boss, chef, mate: mates[0], team, challenge, pending }
}
