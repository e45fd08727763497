import { type Challenge, isOpen, type Team } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useAction } from '../../lib/action.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { eligibilitiesOf, type TeamEligibility } from './eligibility.ts'
import { useOwnWork } from './own-work.ts'

export const REMINDER_HINT = msg(
  'All members of the team are reminded 3 days, 24 hours and 2 hours before the deadline, until it applies.',
)

interface RemindersProps {
  challenge: Challenge
  now: Date
}

/** Whether the team is active and has never applied to the challenge. */
export const canBeReminded = ({ team, usedSlots, rejected }: TeamEligibility): boolean =>
  team.isActive && usedSlots === 0 && rejected === null

/** The user's active teams that have never applied to the challenge; none once it has closed. */
function useTeamsToRemind({ challenge, now }: RemindersProps): Team[] {
  const { ownWork } = useOwnWork()
  if (!ownWork || !isOpen(challenge, now)) return []
  return eligibilitiesOf(challenge, ownWork, now)
    .filter(canBeReminded)
    .map(({ team }) => team)
}

/** Which of the user's teams are reminded of the deadline. Hidden unless one can be. */
export function Reminders(props: RemindersProps) {
  const t = useT()
  const { id } = props.challenge
  const teams = useTeamsToRemind(props)
  const { data } = useQuery(trpc.challenges.reminders.queryOptions({ id }, { enabled: teams.length > 0 }))
  if (teams.length === 0 || !data) return null
  return (
    <section aria-label={t('Reminders')} className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap gap-2">
        {teams.map(({ id: teamId, name }) => (
          <ReminderButton
            key={teamId}
            input={{ id, teamId }}
            label={teams.length === 1 ? t('Remind me') : t('Remind {team}', { team: name })}
            isOn={data.teamIds.includes(teamId)}
          />
        ))}
      </div>
      <p className="text-sm text-muted">{t(REMINDER_HINT)}</p>
    </section>
  )
}

interface ReminderButtonProps {
  input: { id: string; teamId: string }
  label: string
  isOn: boolean
}

/** Switches the reminders of one team on and off. */
export function ReminderButton({ input, label, isOn }: ReminderButtonProps) {
  const t = useT()
  const declaration = { failure: t('Failed to change the reminder'), invalidates: ['challenges.reminders'] }
  const remind = useAction(trpcClient.challenges.remind, { ...declaration, success: t('Reminder set') })
  const stop = useAction(trpcClient.challenges.stopReminding, { ...declaration, success: t('Reminder removed') })
  const Icon = isOn ? BellRing : Bell
  return (
    <Button
      aria-pressed={isOn}
      busy={remind.isPending || stop.isPending}
      onClick={() => void (isOn ? stop : remind).run(input)}
      className="aria-pressed:border-primary aria-pressed:bg-primary-soft"
    >
      <Icon aria-hidden="true" />
      {label}
    </Button>
  )
}
