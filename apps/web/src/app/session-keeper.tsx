import { useEffect, useRef } from 'react'
import { type ClientFailure, failureOf, mayPass } from '../lib/failure.ts'
import { queryClient } from '../lib/query-client.ts'
import { clearSession, storedRefreshToken, storeUser, useUser } from '../lib/session.ts'
import { useSignInLink } from '../lib/sign-in-link.ts'
import { trpc } from '../lib/trpc.ts'
import { useExternalFailure } from './external-failure.ts'

const TOKEN_CODES = new Set(['TOKEN_EXPIRED', 'NOT_SIGNED_IN'])

/** Whether the server said that the stored person is nobody. */
function isRefused(failure: ClientFailure): boolean {
  if (mayPass(failure)) return false
  // A refresh that was refused has taken both tokens away already; one that got no answer leaves them for the next try.
  return !(TOKEN_CODES.has(failure.code ?? '') && storedRefreshToken())
}

/** Fetches a stored person's profile anew, forgets them when the server refuses, and forgets what was loaded for somebody else. */
export function SessionKeeper() {
  useExternalFailure()
  useSignInLink()
  const user = useUser()
  const id = user?.id ?? null
  const profile = trpc.users.profile.useQuery(undefined, { enabled: id !== null, staleTime: Number.POSITIVE_INFINITY })

  const loadedFor = useRef(id)
  useEffect(() => {
    if (loadedFor.current === id) return
    loadedFor.current = id
    void queryClient.resetQueries()
  }, [id])

  useEffect(() => {
    // Of the moment between two people, what is there is still the first one's.
    if (profile.data?.user.id === id) storeUser(profile.data.user)
  }, [profile.data, id])

  useEffect(() => {
    // A phone in a tunnel stays signed in; an answer that refuses does not.
    if (profile.error && isRefused(failureOf(profile.error))) clearSession()
  }, [profile.error])
  return null
}
