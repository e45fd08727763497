import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAction } from '../../lib/action.ts'
import { useOpenDialog } from '../../lib/dialogs.ts'
import { useT } from '../../lib/i18n.ts'
import { storePositionOfLink, useLinkedItem } from '../../lib/navigation/linked-item.ts'
import { formatLinkedItem, type LinkedItem } from '../../lib/navigation/route.ts'
import { trpc } from '../../lib/trpc.ts'
import { openTeam } from './open-team.ts'

/** Follows a link `#team-{id}`: opens the team. */
export function useTeamLink(): void {
  const t = useT()
  const queryClient = useQueryClient()
  const link = useLinkedItem('team')
  const { run: follow } = useAction(
    { mutate: ({ id }: LinkedItem) => queryClient.fetchQuery(trpc.teams.get.queryOptions({ id })) },
    {
      failure: t('Failed to load the team'),
      // A scope queues the calls. Without one, a link followed while another loads would be ignored.
      scope: 'team',
      onSuccess: ({ team }, followed) => {
        // The user has gone on while it loaded.
        if (window.location.hash !== formatLinkedItem(followed)) return
        storePositionOfLink(followed)
        // After an external sign-in, what the visitor asked for may be open.
        if (!useOpenDialog.getState()) openTeam(team.id)
      },
    },
  )
  const lastFollowed = useRef<LinkedItem>(null)
  useEffect(() => {
    if (!link || lastFollowed.current === link) return
    lastFollowed.current = link
    void follow(link)
  }, [link, follow])
}
