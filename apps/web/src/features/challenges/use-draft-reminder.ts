import type { Challenge } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import type { TeamEligibility } from './eligibility.ts'
import { canBeReminded, reminderHint } from './reminders.tsx'
import { markReminderSwitched, unmarkReminderSwitched, wasReminderSwitched } from './switched-reminders.ts'
import { hasContent, loadDraft } from './work-draft.ts'

interface DraftReminderOptions {
  challenge: Challenge
  /** The key of the stored draft. */
  draftName: string
  /** The chosen team; undefined while none is. */
  eligibility: TeamEligibility | undefined
  /** Whether the draft is being submitted. */
  isSending: boolean
}

/**
 * Turns on a team's deadline reminders when the user leaves a draft for it that they have worked on: the dialog is closed, or the page
 * hidden. Once per team and tab, so that Undo, or the button in the details, has the last word.
 */
export function useDraftReminder({ challenge, draftName, eligibility, isSending }: DraftReminderOptions): void {
  const t = useT()
  const { id } = challenge
  const hint = reminderHint(challenge, useServerNow())
  const team = hint && eligibility && canBeReminded(eligibility) ? eligibility.team : null
  const { data } = useQuery(trpc.challenges.reminders.queryOptions({ id }, { enabled: team !== null }))
  // As text, in which a file is `{}`.
  const [draftBefore] = useState(() => JSON.stringify(loadDraft(draftName)))
  const invalidates = ['challenges.reminders']
  const failure = t('Failed to change the reminder')
  const stop = useAction(trpcClient.challenges.stopReminding, { failure, invalidates, success: t('Reminder removed') })
  const remind = useAction(trpcClient.challenges.remind, {
    input: ({ teamId }: { teamId: string; teamName: string }) => ({ id, teamId }),
    // No `failure`: the user did not ask for this request. The next leave tries again.
    onFailure: (_error, { teamId }) => unmarkReminderSwitched({ challengeId: id, teamId }),
    invalidates,
    success: (_output, { teamId, teamName }) => ({
      title: t('Reminder set for {team}', { team: teamName }),
      ...(hint && { message: t(hint) }),
      action: { label: t('Undo'), run: () => void stop.run({ id, teamId }) },
    }),
  })
  const onLeave = useEffectEvent(() => {
    const draft = loadDraft(draftName)
    if (!team || isSending || !draft || !hasContent(draft) || JSON.stringify(draft) === draftBefore) return
    const key = { challengeId: id, teamId: team.id }
    // Before the response has come, a second request for a team that is reminded changes nothing.
    if (data?.teamIds.includes(team.id) || wasReminderSwitched(key)) return
    markReminderSwitched(key)
    void remind.run({ teamId: team.id, teamName: team.name })
  })
  useEffect(() => {
    const onHidden = () => document.hidden && onLeave()
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      onLeave()
    }
  }, [])
}
