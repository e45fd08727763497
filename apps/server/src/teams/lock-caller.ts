import { faults } from '@community/contract'
import type { Tx } from '@community/db'
import { Refusal } from '../errors.ts'
import { lockUser } from './commands.ts'

/** The caller's account, locked: a ban waits until they are in and then takes them out, or came first and is told here. */
export async function lockCaller(tx: Tx, userId: string, strength: 'share' | 'no key update') {
  const user = await lockUser(tx, userId, strength)
  if (!user) throw new Refusal(faults.notSignedIn)
  if (user.isBanned) throw new Refusal(faults.banned)
  return user
}
