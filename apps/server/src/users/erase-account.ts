import { type Db, inTransaction, type Tx } from '@community/db'
import { detachExcessSubmissions, detachSubmissions } from '../submissions/commands.ts'
import { deleteUnusedFiles } from '../uploads/profile-commands.ts'
import { deleteAddressData, deleteUserRow } from './commands.ts'
import { hasManyTeams, leaveNextTeams } from './leave-teams.ts'
import type { UserRow } from './account-queries.ts'
import { pauseWebhooksOf } from '../webhooks/commands.ts'

const departureOf = (userId: string) => ({ userId, reason: 'account closed', actorId: userId }) as const

/**
 * Removes an account from most of its teams and submissions if there are more than one transaction should change; returns whether there
 * were. Call it before the transaction with `eraseAccount`, which does the rest. `lockAccount` locks the account and checks the deletion in
 * each batch, `onBegin` runs in the first one that changes anything. After a crash or a refusal between two batches the account still
 * exists, and a repeated deletion goes on.
 */
export async function detachAccount(
  db: Db,
  lockAccount: (tx: Tx) => Promise<UserRow>,
  onBegin?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  let hasBegun = false
  const detachNext = async (tx: Tx) => {
    const { id } = await lockAccount(tx)
    const hasTeams = await hasManyTeams(tx, id)
    if (hasTeams) await leaveNextTeams(tx, departureOf(id))
    const hasChanged = hasTeams || (await detachExcessSubmissions(tx, id))
    if (hasChanged && !hasBegun) await onBegin?.(tx)
    return hasChanged
  }
  while (await inTransaction(db, detachNext)) hasBegun = true
  return hasBegun
}

/**
 * Deletes an account that this transaction has locked for `no key update`, with everything that concerns only its owner:
 * memberships, sign-ins, codes, mails, identities, warnings, picture, unused files. Submitted work stays with its team, without
 * the name. Entries of the audit log and the blacklist stay too. Returns the keys of the objects to remove after the commit.
 */
export async function eraseAccount(tx: Tx, account: UserRow): Promise<string[]> {
  // More than one batch only if the account joined a hundred teams after `detachAccount`.
  while (await leaveNextTeams(tx, departureOf(account.id)));
  await pauseWebhooksOf(tx, account.id)
  await detachSubmissions(tx, account.id)
  const keys = await deleteUnusedFiles(tx, account)
  await deleteAddressData(tx, account)
  await deleteUserRow(tx, account.id)
  return keys
}
