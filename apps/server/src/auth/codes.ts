import { randomInt } from 'node:crypto'
import { limits } from '@community/contract'
import type { Tx } from '@community/db'
import type { Deps } from '../context.ts'
import { reassignCode, replaceCode } from './code-commands.ts'
import type { CodePurpose } from './code-queries.ts'

/** What a code is for. With `decoyEmail` as `email` it has the same limits, but is not mailed. */
export interface CodeRequest {
  purpose: CodePurpose
  email: string
  userId?: string | null
  /** The correct password was just entered. */
  isNewSignIn?: boolean
  binding?: { hash: string; identity: { issuer: string; subject: string; name: string } }
}

/** The key for a sign-in that nobody started, so that its row does not affect a real one: no valid email begins with a space. */
export const decoyEmail = (email: string): string => ` ${email}`

/** Replaces the code of an email and purpose. Null while the cooldown runs: the existing code stays valid, and belongs to this sign-in. */
export async function issueCode(
  tx: Tx,
  { secret }: Pick<Deps, 'secret'>,
  request: CodeRequest,
): Promise<string | null> {
  const { purpose, email, userId = null, isNewSignIn = false, binding } = request
  const code = String(randomInt(0, 10 ** limits.CODE_DIGITS)).padStart(limits.CODE_DIGITS, '0')
  const hash = secret.hmac('code', purpose, email, code)
  if (await replaceCode(tx, { purpose, email, userId, hash, isNewSignIn, binding })) return code
  await reassignCode(tx, { purpose, email, isNewSignIn, binding })
  return null
}
