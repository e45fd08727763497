import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ClientFailure, failureOf, isSessionError, isTransient } from '../lib/failure.ts'
import { dropEarlyResponses } from '../lib/early-responses.ts'
import { currentPosition, scrollToTarget } from '../lib/navigation/scroll.ts'
import { queryClient } from '../lib/query-client.ts'
import { currentUser, endSession, storedRefreshToken, storeUser, useUser } from '../lib/session.ts'
import { useSignInLink } from '../lib/sign-in-link.ts'
import { trpc } from '../lib/trpc.ts'

/** Whether the server rejected the stored user. */
function isRejection(failure: ClientFailure): boolean {
  if (isTransient(failure)) return false
  // A rejected refresh has removed both tokens already; one without a response keeps them.
  return !(isSessionError(failure) && storedRefreshToken())
}

const hasResponse = ({ kind }: ClientFailure): boolean => kind === 'rejected' || kind === 'format'

/**
 * Fetches everything again for another user. What a visitor saw is public and stays until then; the previous user's data goes at once. The
 * page returns to its position, as parts above it change their heights.
 */
function refetchForUser(wasVisitor: boolean): void {
  dropEarlyResponses()
  const position = currentPosition()
  // Invalidating would not repeat a first request that is on its way as a visitor's.
  void queryClient.resetQueries({ predicate: ({ state }) => !wasVisitor || state.data === undefined })
  if (wasVisitor) void queryClient.invalidateQueries()
  scrollToTarget(position, 'instant')
}

/**
 * Fetches the stored user's profile, and everything else again when another user signs in. At the start any response but success removes
 * the stored user; after the first success only a rejection does.
 */
export function SessionKeeper() {
  useSignInLink()
  const user = useUser()
  const id = user?.id ?? null
  const profile = useQuery(
    trpc.users.profile.queryOptions(undefined, { enabled: id !== null, staleTime: Number.POSITIVE_INFINITY }),
  )

  const loadedFor = useRef(id)
  useEffect(() => {
    if (loadedFor.current === id) return
    const wasVisitor = loadedFor.current === null
    loadedFor.current = id
    refetchForUser(wasVisitor)
  }, [id])

  useEffect(() => {
    // While another user signs in, the data may still be the previous user's.
    if (profile.data?.user.id === id) storeUser(profile.data.user)
  }, [profile.data, id])

  const [storedAtStart] = useState(id)
  const isStart = profile.data === undefined && storedAtStart === id
  useEffect(() => {
    if (!profile.error || !currentUser()) return
    // Without a response (offline) the user stays signed in.
    const failure = failureOf(profile.error)
    if (isStart ? hasResponse(failure) : isRejection(failure)) endSession(isTransient(failure))
  }, [profile.error, isStart])
  return null
}
