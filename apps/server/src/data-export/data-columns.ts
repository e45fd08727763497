import { accountColumns } from './account-columns.ts'
import { administrationColumns } from './administration-columns.ts'
import type { Decisions, TableName } from './decision.ts'
import { notificationColumns } from './notification-columns.ts'
import { teamColumns } from './team-columns.ts'

/** Decides each column once: a table without a decision does not compile, and a test finds the column without one. */
export const DATA_COLUMNS: Decisions<TableName> = {
  ...accountColumns,
  ...teamColumns,
  ...notificationColumns,
  ...administrationColumns,
}
