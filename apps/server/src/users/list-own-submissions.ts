import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findSubmittedBy } from '../submissions/queries.ts'
import { pageOfSubmissions } from '../submissions/views.ts'

type Own = typeof contract.users.submissions

/** What the caller submitted, newest first. For a team they have left only approved work: the rest is its members'. */
export async function listOwnSubmissions({ db, user }: MemberContext, input: Parsed<Own>): Promise<Output<Own>> {
  return pageOfSubmissions(await findSubmittedBy(db, user.id, input), input, user)
}
