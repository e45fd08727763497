import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findSubmittedBy } from '../submissions/reading-store.ts'
import { pageOfSubmissions } from '../submissions/views.ts'

type Own = typeof contract.users.submissions

/** What the caller submitted, newest first, also for teams they have left: it is their own, notes and all. */
export async function listOwnSubmissions({ db, user }: MemberContext, input: Parsed<Own>): Promise<Output<Own>> {
  const { rows, ...rest } = await findSubmittedBy(db, user.id, input)
  return pageOfSubmissions({ ...rest, rows: rows.map((row) => ({ ...row, isInsider: true })) }, input, user)
}
