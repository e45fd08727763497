import type { contract, Output } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { countryOf } from './country-of-address.ts'
import { deviceOf } from './device.ts'
import { findSignIns } from './session-store.ts'

type Sessions = typeof contract.auth.sessions

/** Where the caller is signed in: each sign-in by its device and the place it was last seen at. */
export async function listSessions({ db, user }: MemberContext): Promise<Output<Sessions>> {
  const rows = await findSignIns(db, user.id, user.familyId)
  const sessions = rows.map(async ({ id, userAgent, address, createdAt, lastSeenAt, isCurrent }) => ({
    id,
    _id: id,
    ...deviceOf(userAgent),
    address,
    country: await countryOf(address),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent,
  }))
  return { sessions: await Promise.all(sessions) }
}
