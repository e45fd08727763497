import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { findTeam } from './queries.ts'
import { loadTeams, loadTeamCards } from './views.ts'

type GetRoute = typeof contract.teams.get

/** One team. Inactive teams are only visible to their members and administrators; throws `teamMissing` otherwise. */
export async function getTeam({ db, deps, user }: Context, { id }: ParsedInput<GetRoute>): Promise<Output<GetRoute>> {
  const row = await findTeam(db, id)
  if (!row) throw new AppError(appErrors.teamMissing)
  if (!user) {
    const [card] = row.isActive ? await loadTeamCards(db, [row]) : []
    if (!card) throw new AppError(appErrors.teamMissing)
    return { team: card }
  }
  const [team] = await loadTeams(db, [row], deps)
  const canSee = row.isActive || user.role === 'admin' || team?.members.some(({ userId }) => userId === user.id)
  if (!team || !canSee) throw new AppError(appErrors.teamMissing)
  return { team }
}
