import { useQuery } from '@tanstack/react-query'
import { Plus, Swords, Users } from 'lucide-react'
import { openDialog } from '../../lib/dialogs.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { goToSection } from '../../lib/navigation/navigation.ts'
import { trpc } from '../../lib/trpc.ts'
import { NextStepsCard } from './next-steps-card.tsx'
import { useOpenChallenges } from './open-challenges.ts'
import { type Step, StepList } from './step-list.tsx'

/** The three ways on for a user without a team: join one, create one, look at challenges. */
export function FirstSteps() {
  const t = useT()
  const settings = useQuery(trpc.system.settings.queryOptions())
  const { data } = useOpenChallenges()
  const next = data?.challenges[0]
  const steps: (Step | false)[] = [
    {
      id: 'join',
      icon: Users,
      title: t('Join a team'),
      note: t('Find a team that needs your skills.'),
      target: () => goToSection('teams'),
    },
    settings.data?.settings.teamCreationEnabled !== false && {
      id: 'create',
      icon: Plus,
      title: t('Create a team'),
      note: t('Start a team as its chef and invite others. It takes three steps.'),
      target: () => openDialog({ name: 'createTeam' }),
    },
    {
      id: 'challenges',
      icon: Swords,
      title: t('Browse challenges'),
      note: next
        ? t('{count, plural, one {# is open.} other {# are open.}} The next deadline is {date}.', {
            count: data.pagination.total,
            date: formatDateTime(next.deadline),
          })
        : t('See what teams are working on and what is required.'),
      target: () => goToSection('challenges'),
    },
  ]
  return (
    <NextStepsCard>
      <StepList steps={steps.filter((step) => step !== false)} className="auto-rows-[minmax(5rem,auto)]" />
    </NextStepsCard>
  )
}
