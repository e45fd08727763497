import { type Challenge, isOpen, type Team } from '@community/contract'
import { REMINDER_STEPS } from '@community/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useAction } from '../../lib/action.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { eligibilitiesOf, type TeamEligibility } from './eligibility.ts'
import { useOwnWork } from './own-work.ts'
import { markReminderSwitched } from './switched-reminders.ts'

/** Says when members will be reminded, by the number of reminders still ahead. */
const HINTS = [
  null,
  msg('All members of the team are reminded 2 hours before the deadline, unless the team has applied.'),
  msg('All members of the team are reminded 24 hours and 2 hours before the deadline, unless the team has applied.'),
  msg(
    'All members of the team are reminded 3 days, 24 hours and 2 hours before the deadline, unless the team has applied.',
  ),
] as const

/** The sentence that says when members will be reminded; null if no reminder is ahead. */
export function reminderHint(challenge: Challenge, now: Date) {
  if (!isOpen(challenge, now)) return null
  const secondsLeft = (Date.parse(challenge.deadline) - now.getTime()) / 1000
  return HINTS[Object.values(REMINDER_STEPS).filter((step) => step < secondsLeft).length] ?? null
}

/** Whether the team is active and has never applied to the challenge. */
export const canBeReminded = ({ team, usedSlots, rejected }: TeamEligibility): boolean =>
  team.isActive && usedSlots === 0 && rejected === null

interface RemindersProps {
  challenge: Challenge
  now: Date
}

/** The user's teams that can be reminded. */
function useTeamsToRemind({ challenge, now }: RemindersProps): Team[] {
  const { ownWork } = useOwnWork()
  if (!ownWork) return []
  return eligibilitiesOf(challenge, ownWork, now)
    .filter(canBeReminded)
    .map(({ team }) => team)
}

/** Buttons that switch the deadline reminders of each of the user's teams. Hidden if none can be reminded. */
export function Reminders(props: RemindersProps) {
  const t = useT()
  const { id } = props.challenge
  const hint = reminderHint(props.challenge, props.now)
  const teams = useTeamsToRemind(props)
  const isOffered = hint !== null && teams.length > 0
  const { data } = useQuery(trpc.challenges.reminders.queryOptions({ id }, { enabled: isOffered }))
  if (!isOffered || !data) return null
  return (
    <section aria-label={t('Reminders')} className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap gap-2">
        {teams.map(({ id: teamId, name }) => (
          <ReminderButton
            key={teamId}
            challengeId={id}
            teamId={teamId}
            label={teams.length === 1 ? t('Remind me') : t('Remind {team}', { team: name })}
            isOn={data.teamIds.includes(teamId)}
          />
        ))}
      </div>
      <p className="text-sm text-muted">{t(hint)}</p>
    </section>
  )
}

interface ReminderButtonProps {
  challengeId: string
  teamId: string
  label: string
  isOn: boolean
}

/** A button that turns the deadline reminders of one team on and off. */
function ReminderButton({ challengeId, teamId, label, isOn }: ReminderButtonProps) {
  const t = useT()
  const shared = {
    failure: t('Failed to change the reminder'),
    invalidates: ['challenges.reminders'],
    onSuccess: () => markReminderSwitched({ challengeId, teamId }),
  }
  const remind = useAction(trpcClient.challenges.remind, { ...shared, success: t('Reminder set') })
  const stop = useAction(trpcClient.challenges.stopReminding, { ...shared, success: t('Reminder removed') })
  const Icon = isOn ? BellRing : Bell
  return (
    <Button
      aria-pressed={isOn}
      busy={remind.isPending || stop.isPending}
      onClick={() => void (isOn ? stop : remind).run({ id: challengeId, teamId })}
      className="aria-pressed:border-primary aria-pressed:bg-primary-soft"
    >
      <Icon aria-hidden="true" />
      {label}
    </Button>
  )
}
