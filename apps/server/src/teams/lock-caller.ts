import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { AppError } from '../errors.ts'
import { lockUser } from './commands.ts'

/** The caller's account, locked: a ban waits until they are in and then takes them out, or came first and is told here. */
export async function lockCaller(tx: Tx, userId: string, strength: 'share' | 'no key update') {
  const user = await lockUser(tx, userId, strength)
  if (!user) throw new AppError(appErrors.notSignedIn)
  if (user.isBanned) throw new AppError(appErrors.banned)
  return user
}
