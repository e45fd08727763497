import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAction } from '../../lib/action.ts'
import { openDialog, useOpenDialog } from '../../lib/dialogs.ts'
import { useT } from '../../lib/i18n.ts'
import { linkFailure } from '../../lib/link-failure.ts'
import { storePositionOfLink, useLinkedItem } from '../../lib/navigation/linked-item.ts'
import { formatLinkedItem, type LinkedItem } from '../../lib/navigation/route.ts'
import { currentUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'

/** Follows a link `#team-{id}`: opens the team. Visitors sign in first: unlike those who press its card, they do not know its name. */
export function useTeamLink(): void {
  const t = useT()
  const queryClient = useQueryClient()
  const link = useLinkedItem('team')
  const { run: follow } = useAction(
    { mutate: ({ id }: LinkedItem) => queryClient.fetchQuery(trpc.teams.get.queryOptions({ id })) },
    {
      failure: linkFailure(t('This link no longer leads to a team.'), t('Failed to load the team')),
      // A scope queues the calls. Without one, a link followed while another loads would be ignored.
      scope: 'team',
      onSuccess: ({ team }, followed) => {
        // The user has gone on while it loaded.
        if (window.location.hash !== formatLinkedItem(followed)) return
        storePositionOfLink(followed)
        // After an external sign-in, what the visitor asked for may be open.
        if (useOpenDialog.getState()) return
        const dialog = { name: 'team', teamId: team.id } as const
        if (currentUser()) return openDialog(dialog)
        const reason = t('Sign in or create an account to see {team}.', { team: team.name })
        openDialog({ name: 'signInPrompt', reason, intent: dialog })
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
