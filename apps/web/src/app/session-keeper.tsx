import { useEffect, useRef } from 'react'
import { failureOf } from '../lib/failure.ts'
import { queryClient } from '../lib/query-client.ts'
import { clearSession, storeUser, useUser } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'
import { useExternalFailure } from './external-failure.ts'

/** Fetches a stored person's profile anew, forgets them when the server refuses, and forgets what was loaded for somebody else. */
export function SessionKeeper() {
  useExternalFailure()
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
    if (profile.data && id !== null) storeUser(profile.data.user)
  }, [profile.data, id])

  useEffect(() => {
    // A phone in a tunnel stays signed in; an answer that refuses does not.
    if (profile.error && failureOf(profile.error).kind === 'refused') clearSession()
  }, [profile.error])
  return null
}
