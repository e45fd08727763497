import type { Profile } from '@community/contract'
import { aSignIn } from '@community/testing'
import { storeSession } from '../src/lib/session.ts'

/** Signs somebody in, as if they had come back to the page. */
export function signIn(own: Partial<Profile> = {}): Profile {
  const session = aSignIn(own)
  storeSession(session)
  return session.user
}
