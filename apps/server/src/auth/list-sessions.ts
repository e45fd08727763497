import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { lookUpCountry } from './country-of-ip.ts'
import { parseDevice } from './device.ts'
import { findSignIns } from './session-queries.ts'

/** The caller's sessions with their device and last known IP address. */
export const listSessions: UseCase<typeof contract.auth.sessions> = async ({ db, user }, paging) => {
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
