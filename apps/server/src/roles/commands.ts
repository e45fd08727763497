import type { RoleInput } from '@community/contract'
import { onlyRow, type Tx } from '@community/db'
import { roles } from '@community/db/schema'
import { roleColumns } from './queries.ts'

export async function insertRole(tx: Tx, input: RoleInput) {
  return onlyRow(await tx.insert(roles).values(input).returning(roleColumns))
}
