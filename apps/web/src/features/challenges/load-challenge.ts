import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { linkFailure } from '../../lib/link-failure.ts'
import { trpc } from '../../lib/trpc.ts'

/** Returns a function that loads a linked challenge by its id; a failure is shown and gives undefined. */
export function useLoadChallenge() {
  const t = useT()
  const queryClient = useQueryClient()
  const { run } = useAction(
    { mutate: (id: string) => queryClient.fetchQuery(trpc.challenges.get.queryOptions({ id })) },
    {
      failure: linkFailure(t('This link no longer leads to a challenge.'), t('Failed to load challenges')),
      // A scope queues the calls. Without one, a link followed while another loads would be ignored.
      scope: 'challenge',
    },
  )
  return run
}

/** Requests a challenge ahead, unless it is null. A failure is shown by the function of `useLoadChallenge`, which requests it again. */
export function usePrefetchChallenge(id: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (id !== null) void queryClient.prefetchQuery(trpc.challenges.get.queryOptions({ id }))
  }, [id, queryClient])
}
