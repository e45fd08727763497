import { type contract, appErrors, type TeamCard } from '@community/contract'
import type { Reader } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findTeam } from './queries.ts'
import { findWholeTeam, loadTeamCards } from './views.ts'

/** One team. Inactive teams are only visible to their members and administrators; throws `teamMissing` otherwise. */
export const getTeam: UseCase<typeof contract.teams.get> = async ({ db, deps, user }, { id }) => {
  if (!user) return { team: await getCard(db, id) }
  const team = await findWholeTeam(db, id, deps)
  const canSee = team?.isActive || user.role === 'admin' || team?.members.some(({ userId }) => userId === user.id)
  if (!team || !canSee) throw new AppError(appErrors.teamMissing)
  return { team }
}

async function getCard(db: Reader, id: string): Promise<TeamCard> {
  const row = await findTeam(db, id)
  const [card] = row?.isActive ? await loadTeamCards(db, [row]) : []
  if (!card) throw new AppError(appErrors.teamMissing)
  return card
}
