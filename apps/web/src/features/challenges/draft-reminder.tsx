import type { Challenge } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import type { TeamEligibility } from './eligibility.ts'
import { canBeReminded, REMINDER_HINT, ReminderButton } from './reminders.tsx'

interface DraftReminderProps {
  challenge: Challenge
  /** The team that the draft is for; undefined while none is chosen. */
  eligibility: TeamEligibility | undefined
  /** Whether the user has begun a draft since the dialog opened. */
  hasBegun: boolean
}

/** Has the team reminded of the deadline once a draft for it has begun. Its button takes that back. */
export function DraftReminder({ challenge, eligibility, hasBegun }: DraftReminderProps) {
  const t = useT()
  const team = hasBegun && eligibility && canBeReminded(eligibility) ? eligibility.team : undefined
  const { id } = challenge
  const { data } = useQuery(trpc.challenges.reminders.queryOptions({ id }, { enabled: team !== undefined }))
  // No toast: nobody pressed a button. The one below shows whether it worked.
  const { run } = useAction(trpcClient.challenges.remind, {
    invalidates: ['challenges.reminders'],
    scope: 'draft reminder',
  })
  const askedTeamIds = useRef(new Set<string>())
  useEffect(() => {
    if (!team || !data || askedTeamIds.current.has(team.id)) return
    // Once: the user may press the button to stop it.
    askedTeamIds.current.add(team.id)
    if (!data.teamIds.includes(team.id)) void run({ id, teamId: team.id })
  }, [id, team, data, run])
  if (!team || !data) return null
  const isOn = data.teamIds.includes(team.id)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <ReminderButton input={{ id, teamId: team.id }} label={t('Remind me')} isOn={isOn} />
      <p role="status" className="grow basis-48 text-sm text-muted">
        {isOn && t(REMINDER_HINT)}
      </p>
    </div>
  )
}
