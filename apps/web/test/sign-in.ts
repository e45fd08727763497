import type { Profile } from '@community/contract'
import { aSignIn } from '@community/testing'
import { storeSession } from '../src/lib/session.ts'

/** Signs a user in, as if a stored session had been restored. */
export function signIn(own: Partial<Profile> = {}): Profile {
  const session = aSignIn(own)
  storeSession(session)
  return session.user
}
