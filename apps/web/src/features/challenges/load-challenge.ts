import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'

/** Returns a function that loads a challenge by its id; a failure is shown and gives undefined. */
export function useLoadChallenge() {
  const t = useT()
  const queryClient = useQueryClient()
  const { run } = useAction(
    { mutate: (id: string) => queryClient.fetchQuery(trpc.challenges.get.queryOptions({ id })) },
    // A scope queues the calls. Without one, a link followed while another loads would be ignored.
    { failure: t('Failed to load challenges'), scope: 'challenge' },
  )
  return run
}
