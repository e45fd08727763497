import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findOwnSubmissions } from '../submissions/queries.ts'
import { toSubmissionPage } from '../submissions/views.ts'

/** The caller's submissions, newest first. Of teams they have left only approved ones: the others are visible to the team's current members only. */
export const listOwnSubmissions: UseCase<typeof contract.users.submissions> = async (ctx, input) =>
  toSubmissionPage(await findOwnSubmissions(ctx.db, ctx.user.id, input), input, ctx)
