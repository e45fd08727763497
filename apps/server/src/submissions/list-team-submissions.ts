import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { findOfTeam, findTeamSeenBy } from './queries.ts'
import { pageOfSubmissions } from './views.ts'

type TeamSubmissions = typeof contract.teams.submissions

/** A team's submissions, newest first: all of them for its members and administrators, approved ones for others. */
export async function listTeamSubmissions(
  { db, user }: VisitorContext,
  input: Parsed<TeamSubmissions>,
): Promise<Output<TeamSubmissions>> {
  const viewerId = user?.id ?? null
  const team = await findTeamSeenBy(db, input.id, viewerId)
  if (!team) throw new AppError(appErrors.teamMissing)
  const viewer = { id: viewerId, seesAll: team.isInsider || user?.role === 'admin' }
  return pageOfSubmissions(await findOfTeam(db, input.id, input, viewer), input, user)
}
