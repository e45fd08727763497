import type { Challenge } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import type { TeamEligibility } from './eligibility.ts'
import { markDecided, wasDecided } from './reminder-decisions.ts'
import { canBeReminded, reminderHint } from './reminders.tsx'
import { hasContent, loadDraft } from './work-draft.ts'

interface DraftReminderOptions {
  challenge: Challenge
  /** The key of the stored draft. */
  name: string
  /** The chosen team; undefined while none is. */
  eligibility: TeamEligibility | undefined
}

/**
 * Turns on a team's deadline reminders when the user leaves a draft for it: the dialog is closed, or the page hidden. Once per team
 * and tab, so that Undo, or the button in the details, has the last word.
 */
export function useDraftReminder({ challenge, name, eligibility }: DraftReminderOptions): void {
  const t = useT()
  const { id } = challenge
  const hint = reminderHint(challenge, useServerNow())
  const team = hint && eligibility && canBeReminded(eligibility) ? eligibility.team : null
  const { data } = useQuery(trpc.challenges.reminders.queryOptions({ id }, { enabled: team !== null }))
  const invalidates = ['challenges.reminders']
  const failure = t('Failed to change the reminder')
  const stop = useAction(trpcClient.challenges.stopReminding, { failure, invalidates, success: t('Reminder removed') })
  const remind = useAction(trpcClient.challenges.remind, {
    // Without `failure`: nobody asked for it, and the next time tries again.
    invalidates,
    onSuccess: (_output, { teamId }) => markDecided({ challengeId: id, teamId }),
    success: (_output, input) => ({
      title: t('Reminder set'),
      ...(hint && { message: t(hint) }),
      action: { label: t('Undo'), run: () => void stop.run(input) },
    }),
  })
  const onLeave = useEffectEvent(() => {
    const draft = loadDraft(name)
    if (!team || !draft || !hasContent(draft)) return
    // Before the response has come, a second request for the same team changes nothing.
    const isDecided = data?.teamIds.includes(team.id) || wasDecided({ challengeId: id, teamId: team.id })
    if (!isDecided) void remind.run({ id, teamId: team.id })
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
