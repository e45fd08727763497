import { type contract, faults, type Output, type Parsed, whyCannotUpdateTeam } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { Hashing, MemberContext } from '../context.ts'
import { refuse } from '../errors.ts'
import { auditIfAdmin, confirmIfAdmin, lockAsChef } from './lock-as-chef.ts'
import { knownRoleIds, replaceRolesNeeded, writeTeam } from './commands.ts'
import { viewTeam } from './views.ts'

type Update = typeof contract.teams.update

/** Renames, edits or deactivates a team: by its chef, or by an administrator with their password. */
export async function updateTeam(ctx: MemberContext & Hashing, input: Parsed<Update>): Promise<Output<Update>> {
  const { id, password, rolesNeeded, ...change } = input
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockAsChef(tx, ctx, id)
    refuse(whyCannotUpdateTeam(team, change, ctx.user))
    if (rolesNeeded) await changeRoles(tx, id, rolesNeeded)
    await writeTeam(tx, team, change)
    await auditIfAdmin(tx, ctx, team, { action: 'teams.update', details: { changed: { ...change, rolesNeeded } } })
    return { team: await viewTeam(tx, id) }
  })
}

async function changeRoles(tx: Tx, teamId: string, rolesNeeded: { id: string }[]): Promise<void> {
  const ids = [...new Set(rolesNeeded.map(({ id }) => id))]
  const known = await knownRoleIds(tx, ids)
  refuse(known.size < ids.length ? faults.roleUnknown : null)
  await replaceRolesNeeded(tx, teamId, ids)
}
