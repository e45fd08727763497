import type { VariableName } from './variables.ts'

/** Names of version 0.1, which count where the new name is not set. */
export const FORMER_NAMES: Readonly<Record<string, VariableName>> = {
  PROOF_OF_WORK_PER_ADDRESS: 'PROOF_OF_WORK_HOURLY_PER_IP',
  PROOF_OF_WORK_IN_TOTAL: 'PROOF_OF_WORK_HOURLY_TOTAL',
  READ_BUDGET_PER_ADDRESS: 'READ_UNITS_PER_IP',
  READ_BUDGET_PER_PERSON: 'READ_UNITS_PER_USER',
  CALLS_AT_ONCE_PER_ADDRESS: 'CONCURRENT_REQUESTS_PER_IP',
  CALLS_AT_ONCE_PER_PERSON: 'CONCURRENT_REQUESTS_PER_USER',
}
