import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findSubmittedBy } from '../submissions/queries.ts'
import { pageOfSubmissions } from '../submissions/views.ts'

type Own = typeof contract.users.submissions

/** The caller's submissions, newest first. Of teams they have left only approved ones: the others are private to members. */
export async function listOwnSubmissions({ db, user }: MemberContext, input: Parsed<Own>): Promise<Output<Own>> {
  return pageOfSubmissions(await findSubmittedBy(db, user.id, input), input, user)
}
