import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import { sql } from 'drizzle-orm'
import { deleteUserCodes } from '../auth/codes.ts'
import { endAllFamilies } from '../auth/sessions.ts'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { leaveAllTeams } from '../users/erase-account.ts'
import { userOf } from '../users/views.ts'
import { audit } from './audit.ts'
import { changeUser, ensureEntry, releaseEntry } from './moderation-commands.ts'
import { lockAdminAndTarget } from '../users/lock-user.ts'

type Ban = typeof contract.admin.ban
type Unban = typeof contract.admin.unban

/**
 * Bans a user in one transaction: revokes sessions and codes, removes them from their teams, blacklists their address and revokes an
 * administrator's role. A concurrent sign-in waits for the account's lock and then fails.
 */
export function ban(ctx: MemberContext, { userId, reason }: Parsed<Ban>): Promise<Output<Ban>> {
  return inTransaction(ctx.db, async (tx) => {
    await deleteUserCodes(tx, userId)
    const target = await lockAdminAndTarget(tx, ctx, userId)
    if (target.isBanned) throw new AppError(appErrors.alreadyBanned)
    const banned = await changeUser(tx, userId, {
      role: 'member',
      isBanned: true,
      banReason: reason,
      bannedAt: sql`now()`,
    })
    await endAllFamilies(tx, userId, 'banned')
    await leaveAllTeams(tx, userId)
    await ensureEntry(tx, { email: target.email, reason, createdBy: ctx.user.id })
    await audit(tx, ctx, { action: 'admin.ban', targetType: 'user', targetId: userId, details: { reason } })
    return { user: userOf(banned) }
  })
}

/** Revokes a ban and its blacklist entry, unless a variant of the address is still banned. Memberships are not restored. */
export function unban(ctx: MemberContext, { userId }: Parsed<Unban>): Promise<Output<Unban>> {
  return inTransaction(ctx.db, async (tx) => {
    const target = await lockAdminAndTarget(tx, ctx, userId)
    if (!target.isBanned) throw new AppError(appErrors.notBanned)
    const free = await changeUser(tx, userId, { isBanned: false, banReason: null, bannedAt: null })
    await releaseEntry(tx, target.email)
    await audit(tx, ctx, {
      action: 'admin.unban',
      targetType: 'user',
      targetId: userId,
      details: { reason: target.banReason },
    })
    return { user: userOf(free) }
  })
}
