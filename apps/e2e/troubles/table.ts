import { OWN } from './own.ts'
import type { Place } from './place.ts'
import { READS } from './reads.ts'
import { ACCOUNT_WRITES } from './writes-account.ts'
import { ADMIN_WRITES } from './writes-admin.ts'
import { MEMBER_WRITES } from './writes-member.ts'

/** Every call that the web client makes, and where its failure is met. */
export const TABLE: Readonly<Record<string, Place>> = {
  ...READS,
  ...ACCOUNT_WRITES,
  ...MEMBER_WRITES,
  ...ADMIN_WRITES,
  ...OWN,
}
