import { type contract, appErrors } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { deleteUserCodes } from '../auth/code-commands.ts'
import { endAllFamilies } from '../auth/session-commands.ts'
import { AppError } from '../errors.ts'
import { queueMail } from '../jobs/mail.ts'
import { enqueue, wakeWorkers } from '../jobs/queue.ts'
import { deleteTokens } from '../personal-tokens/commands.ts'
import { leaveNextTeams } from '../users/leave-teams.ts'
import { pauseWebhooksOf } from '../webhooks/commands.ts'
import { toUser } from '../users/views.ts'
import { emit } from '../webhooks/emit.ts'
import { audit } from './audit.ts'
import { deleteEntryAfterUnban, ensureBlacklistEntry, markBanned, markUnbanned } from './moderation-commands.ts'
import { lockAdminAndTarget, lockUser } from '../users/lock-user.ts'

/** The kind of the jobs that remove a banned user from the rest of their teams. */
export const LEAVE_TEAMS_JOB = 'leave-teams'
/** The payload of the job. */
export interface BannedMember {
  userId: string
  /** The administrator who banned them. */
  actorId: string
}

/**
 * Bans a user in one transaction: ends their sessions, deletes their tokens and codes, pauses their webhooks, removes them from
 * their teams, blacklists their email, revokes an administrator's role and mails them the reason. A concurrent sign-in waits for the
 * account's lock and then fails. If they are in more teams than one transaction leaves, a job removes them from the others.
 */
export const ban: UseCase<typeof contract.admin.ban> = async (ctx, { userId, reason }) => {
  const banned = await inTransaction(ctx.db, async (tx) => {
    // Codes are locked before accounts (docs/architecture.md, Lock order). A ban that is rejected rolls this back.
    await deleteUserCodes(tx, userId)
    const target = await lockAdminAndTarget(tx, ctx, userId)
    if (target.isBanned) throw new AppError(appErrors.alreadyBanned)
    const row = await markBanned(tx, userId, reason)
    await endAllFamilies(tx, userId, 'banned')
    await deleteTokens(tx, userId)
    const payload: BannedMember = { userId, actorId: ctx.user.id }
    if (await leaveNextTeams(tx, { ...payload, reason: 'removed' }))
      await enqueue(tx, ctx.deps, { kind: LEAVE_TEAMS_JOB, payload })
    await pauseWebhooksOf(tx, userId)
    await emit(tx, { name: 'user.banned', data: { userId }, userId })
    await ensureBlacklistEntry(tx, { email: target.email, reason, createdBy: ctx.user.id })
    await audit(tx, ctx, { action: 'admin.ban', targetId: userId, details: { reason } })
    await queueMail(tx, ctx.deps, {
      template: 'account-banned',
      to: target.email,
      language: target.language,
      values: { reason, support: ctx.deps.config.links.supportEmail },
    })
    return row
  })
  wakeWorkers()
  return { user: toUser(banned, ctx.deps) }
}

/** Removes a banned user from their next teams; true if more are left. An unban ends it. */
export async function removeFromNextTeams(tx: Tx, { userId, actorId }: BannedMember): Promise<boolean> {
  const user = await lockUser(tx, userId, 'no key update')
  return user?.isBanned === true && leaveNextTeams(tx, { userId, reason: 'removed', actorId })
}

/** Revokes a ban and its blacklist entry, unless another banned account has a variant of the email. Memberships are not restored. */
export const unban: UseCase<typeof contract.admin.unban> = (ctx, { userId }) =>
  inTransaction(ctx.db, async (tx) => {
    const target = await lockAdminAndTarget(tx, ctx, userId)
    if (!target.isBanned) throw new AppError(appErrors.notBanned)
    const unbanned = await markUnbanned(tx, userId)
    await deleteEntryAfterUnban(tx, target.email)
    await audit(tx, ctx, {
      action: 'admin.unban',
      targetId: userId,
      details: { reason: target.banReason },
    })
    return { user: toUser(unbanned, ctx.deps) }
  })
