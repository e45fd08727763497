import type { contract, Output } from '@community/contract'
import { inTransaction, type Tx, wallClock } from '@community/db'
import { submissions, teams } from '@community/db/schema'
import { and, asc, eq, exists, inArray, not, sql } from 'drizzle-orm'
import type { AuthenticatedContext } from '../context.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Of the teams without members, deletes those that never submitted and deactivates the others. */
export function cleanupTeams(ctx: AuthenticatedContext): Promise<Output<typeof contract.admin.cleanupTeams>> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const ids = await lockEmptyTeams(tx)
    const counts = ids.length === 0 ? { deleted: 0, deactivated: 0 } : await deleteOrDeactivate(tx, ids)
    await audit(tx, ctx, { action: 'admin.cleanupTeams', details: counts })
    return counts
  })
}

async function lockEmptyTeams(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(eq(teams.memberCount, 0))
    .orderBy(asc(teams.id))
    .for('update')
  return rows.map(({ id }) => id)
}

async function deleteOrDeactivate(tx: Tx, ids: string[]) {
  const teamSubmissions = tx.select({ one: sql`1` }).from(submissions).where(eq(submissions.teamId, teams.id))
  const deleted = await tx
    .delete(teams)
    .where(and(inArray(teams.id, ids), not(exists(teamSubmissions))))
    .returning({ id: teams.id })
  const deactivated = await tx
    .update(teams)
    .set({ isActive: false, updatedAt: wallClock })
    .where(and(inArray(teams.id, ids), eq(teams.isActive, true)))
    .returning({ id: teams.id })
  return { deleted: deleted.length, deactivated: deactivated.length }
}
