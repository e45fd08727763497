import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findTeamSubmissions, findTeamForViewer } from './team-queries.ts'
import { toSubmissionPage } from './views.ts'

/** A team's submissions, newest first: all of them for its members and administrators, approved ones for others. */
export const listTeamSubmissions: UseCase<typeof contract.teams.submissions> = async (ctx, input) => {
  const { db, user } = ctx
  const viewerId = user?.id ?? null
  const team = await findTeamForViewer(db, input.id, viewerId)
  if (!team) throw new AppError(appErrors.teamMissing)
  const viewer = { id: viewerId, seesAll: team.isInsider || user?.role === 'admin' }
  return toSubmissionPage(await findTeamSubmissions(db, input.id, input, viewer), input, ctx)
}
