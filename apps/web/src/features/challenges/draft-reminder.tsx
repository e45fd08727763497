import type { Challenge } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import type { TeamEligibility } from './eligibility.ts'
import { canBeReminded, ReminderButton, reminderHint } from './reminders.tsx'

/** Milliseconds for which the choice of the team has to rest: a name that is being typed may be another team's on the way. */
const SETTLE_MS = 1000

interface DraftReminderProps {
  challenge: Challenge
  /** The team that the draft is for; undefined while none is chosen. */
  eligibility: TeamEligibility | undefined
  /** Whether a draft was kept from before. */
  hasDraft: boolean
  /** Whether a new draft has been started since the form was opened. */
  hasBegun: boolean
}

/** Turns on a team's deadline reminders once the user begins a draft for it. The button turns them off. */
export function DraftReminder({ challenge, eligibility, hasDraft, hasBegun }: DraftReminderProps) {
  const t = useT()
  const { id } = challenge
  const hint = reminderHint(challenge, useServerNow())
  const isOffered = (hasDraft || hasBegun) && hint !== null && eligibility !== undefined && canBeReminded(eligibility)
  const teamId = isOffered ? eligibility.team.id : null
  const { data } = useQuery(trpc.challenges.reminders.queryOptions({ id }, { enabled: isOffered }))
  // No toasts: the user pressed nothing, and the button shows the outcome.
  const { run, isPending } = useAction(trpcClient.challenges.remind, {
    invalidates: ['challenges.reminders'],
    // Queued: otherwise a team that is chosen during a request would be skipped.
    scope: 'draft reminder',
  })
  // Once per team and opening: otherwise it would undo a press of the button.
  const [requestedTeamIds, setRequestedTeamIds] = useState<readonly string[]>([])
  const isOn = teamId !== null && data !== undefined && data.teamIds.includes(teamId)
  const isRequested = teamId !== null && requestedTeamIds.includes(teamId)
  const wantedTeamId = hasBegun && data && !isOn && !isRequested ? teamId : null
  const request = useEffectEvent((wanted: string) => {
    setRequestedTeamIds([...requestedTeamIds, wanted])
    void run({ id, teamId: wanted })
  })
  useEffect(() => {
    if (wantedTeamId === null) return undefined
    const timer = setTimeout(() => request(wantedTeamId), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [wantedTeamId])
  if (teamId === null || !hint || !data) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <ReminderButton
        key={teamId}
        challengeId={id}
        teamId={teamId}
        label={t('Remind me')}
        isOn={isOn}
        busy={isPending}
      />
      <p role="status" className="grow basis-48 text-sm text-muted">
        {isOn && t(hint)}
      </p>
    </div>
  )
}
