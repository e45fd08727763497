import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { findTeam } from './queries.ts'
import { fullTeams, teamCards } from './views.ts'

type Get = typeof contract.teams.get

/** One team. Inactive teams are only visible to their members and administrators; throws `teamMissing` otherwise. */
export async function getTeam({ db, user }: VisitorContext, { id }: Parsed<Get>): Promise<Output<Get>> {
  const row = await findTeam(db, id)
  if (!row) throw new AppError(appErrors.teamMissing)
  if (!user) {
    const [card] = row.isActive ? await teamCards(db, [row]) : []
    if (!card) throw new AppError(appErrors.teamMissing)
    return { team: card }
  }
  const [team] = await fullTeams(db, [row])
  const mayKnow = row.isActive || user.role === 'admin' || team?.members.some(({ userId }) => userId === user.id)
  if (!team || !mayKnow) throw new AppError(appErrors.teamMissing)
  return { team }
}
