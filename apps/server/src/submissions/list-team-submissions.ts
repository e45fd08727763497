import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { findTeamSubmissions, findTeamForViewer } from './team-queries.ts'
import { toSubmissionPage } from './views.ts'

type SubmissionsRoute = typeof contract.teams.submissions

/** A team's submissions, newest first: all of them for its members and administrators, approved ones for others. */
export async function listTeamSubmissions(
  ctx: Context,
  input: ParsedInput<SubmissionsRoute>,
): Promise<Output<SubmissionsRoute>> {
  const { db, user } = ctx
  const viewerId = user?.id ?? null
  const team = await findTeamForViewer(db, input.id, viewerId)
  if (!team) throw new AppError(appErrors.teamMissing)
  const viewer = { id: viewerId, seesAll: team.isInsider || user?.role === 'admin' }
  return toSubmissionPage(await findTeamSubmissions(db, input.id, input, viewer), input, ctx)
}
