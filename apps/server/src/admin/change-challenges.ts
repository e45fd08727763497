import { type contract, type EmptyData, appErrors, type Output, type Parsed } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { challenges, submissions, teams } from '@community/db/schema'
import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm'
import { databaseNow, lockChallenge, writeChallenge } from '../challenges/commands.ts'
import { challengeOf } from '../challenges/views.ts'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { deleteSubmissions } from '../submissions/delete-work.ts'
import { settleStandings } from '../submissions/commands.ts'
import { removeObjects } from '../uploads/remove-objects.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

type Calls = typeof contract.admin
type Change = Omit<Parsed<Calls['updateChallenge']>, 'id' | 'password'>

async function lockAsAdmin(tx: Tx, ctx: MemberContext, id: string) {
  await lockAdmin(tx, ctx)
  const challenge = await lockChallenge(tx, id)
  if (!challenge) throw new AppError(appErrors.challengeMissing)
  return challenge
}

/** The largest number of slots that a team uses in a challenge. */
async function mostTaken(tx: Tx, challengeId: string): Promise<number> {
  const [most] = await tx
    .select({ taken: count() })
    .from(submissions)
    .where(and(eq(submissions.challengeId, challengeId), sql`${submissions.status} in ('pending', 'approved')`))
    .groupBy(submissions.teamId)
    .orderBy(sql`count(*) desc`)
    .limit(1)
  return most?.taken ?? 0
}

async function refuseWrongChange(
  tx: Tx,
  id: string,
  before: { deadline: Date; maxSubmissions: number },
  change: Change,
) {
  const { deadline, maxSubmissions = before.maxSubmissions } = change
  // A past deadline may stay unchanged while other fields change.
  const isMoved = deadline !== undefined && Date.parse(deadline) !== before.deadline.getTime()
  if (isMoved && Date.parse(deadline) <= (await databaseNow(tx)).getTime()) throw new AppError(appErrors.deadlinePast)
  if (maxSubmissions < before.maxSubmissions && maxSubmissions < (await mostTaken(tx, id)))
    throw new AppError(appErrors.moreAlreadySubmitted)
}

function change(ctx: MemberContext, action: string, id: string, wanted: Change) {
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockAsAdmin(tx, ctx, id)
    await refuseWrongChange(tx, id, before, wanted)
    const challenge = await writeChallenge(tx, id, wanted)
    await audit(tx, ctx, {
      action,
      targetType: 'challenge',
      targetId: id,
      details: { title: before.title, changed: wanted },
    })
    return { challenge: challengeOf(challenge) }
  })
}

export const updateChallenge = (
  ctx: MemberContext,
  { id, password: _password, ...wanted }: Parsed<Calls['updateChallenge']>,
): Promise<Output<Calls['updateChallenge']>> => change(ctx, 'admin.updateChallenge', id, wanted)

export const activateChallenge = (
  ctx: MemberContext,
  { id }: Parsed<Calls['activateChallenge']>,
): Promise<Output<Calls['activateChallenge']>> => change(ctx, 'admin.activateChallenge', id, { isActive: true })

export const deactivateChallenge = (
  ctx: MemberContext,
  { id }: Parsed<Calls['deactivateChallenge']>,
): Promise<Output<Calls['deactivateChallenge']>> => change(ctx, 'admin.deactivateChallenge', id, { isActive: false })

/** Teams are locked before the challenge; the deletion is retried if another team applied in between. */
const ATTEMPTS = 10

/** Deletes a challenge with its submissions, files and awarded points. */
export async function deleteChallenge(
  ctx: MemberContext,
  { id }: Parsed<Calls['deleteChallenge']>,
): Promise<EmptyData> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const keys = await inTransaction(ctx.db, (tx) => tryDelete(tx, ctx, id))
    if (!keys) continue
    await removeObjects(ctx.deps, keys)
    return {}
  }
  throw new AppError(appErrors.unavailable)
}

async function tryDelete(tx: Tx, ctx: MemberContext, id: string): Promise<string[] | null> {
  await lockAdmin(tx, ctx)
  const teamIds = await lockTeamsIn(tx, id)
  const challenge = await lockChallenge(tx, id)
  if (!challenge) throw new AppError(appErrors.challengeMissing)
  if (await hasOtherTeams(tx, id, teamIds)) return null
  const winners = await teamsWithPoints(tx, id)
  const keys = await deleteSubmissions(tx, eq(submissions.challengeId, id))
  await settleStandings(tx, winners, { challengeId: id, reason: 'removal' })
  await audit(tx, ctx, {
    action: 'admin.deleteChallenge',
    targetType: 'challenge',
    targetId: id,
    details: { title: challenge.title, teams: teamIds.length },
  })
  await tx.delete(challenges).where(eq(challenges.id, id))
  return keys
}

async function lockTeamsIn(tx: Tx, challengeId: string): Promise<string[]> {
  const applied = tx
    .select({ id: submissions.teamId })
    .from(submissions)
    .where(eq(submissions.challengeId, challengeId))
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(inArray(teams.id, applied))
    .orderBy(asc(teams.id))
    .for('update')
  return rows.map(({ id }) => id)
}

async function hasOtherTeams(tx: Tx, challengeId: string, teamIds: string[]): Promise<boolean> {
  const others = sql`${submissions.teamId} <> all(${sql.param(teamIds)}::uuid[])`
  const found = await tx
    .select({ id: submissions.id })
    .from(submissions)
    .where(and(eq(submissions.challengeId, challengeId), others))
    .limit(1)
  return found.length > 0
}

async function teamsWithPoints(tx: Tx, challengeId: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ teamId: submissions.teamId })
    .from(submissions)
    .where(and(eq(submissions.challengeId, challengeId), gt(submissions.points, -1)))
    .orderBy(asc(submissions.teamId))
  return rows.map(({ teamId }) => teamId)
}
