import type { contract, Output, ParsedInput } from '@community/contract'
import type { SessionContext } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { lookUpCountry } from './country-of-ip.ts'
import { parseDevice } from './device.ts'
import { findSignIns } from './session-queries.ts'

type SessionsRoute = typeof contract.auth.sessions

/** The caller's sessions with their device and last known IP address. */
export async function listSessions(
  { db, user }: SessionContext,
  paging: ParsedInput<SessionsRoute>,
): Promise<Output<SessionsRoute>> {
  const page = await findSignIns(db, paging, user.id, user.familyId)
  const sessions = page.rows.map(async ({ id, userAgent, address, createdAt, lastSeenAt, isCurrent, hasPush }) => ({
    id,
    _id: id,
    ...parseDevice(userAgent),
    address,
    country: await lookUpCountry(address),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent,
    hasPush,
  }))
  return { sessions: await Promise.all(sessions), pagination: toPagination(paging, page) }
}
