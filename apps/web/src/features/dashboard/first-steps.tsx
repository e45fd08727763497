import { useQuery } from '@tanstack/react-query'
import { Plus, Users } from 'lucide-react'
import { openDialog } from '../../lib/dialogs.ts'
import { useT } from '../../lib/i18n.ts'
import { goToSection } from '../../lib/navigation/navigation.ts'
import { trpc } from '../../lib/trpc.ts'
import { NextStepsCard } from './next-steps-card.tsx'
import { type Step, StepList } from './step-list.tsx'
import { fillWith, useSuggestedSteps } from './use-suggested-steps.ts'

/** The three ways on for a user without a team: join one, create one, look at challenges. */
export function FirstSteps() {
  const t = useT()
  const settings = useQuery(trpc.system.settings.queryOptions())
  const suggestions = useSuggestedSteps()
  const teamSteps: (Step | false)[] = [
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
  ]
  const steps = teamSteps.filter((step) => step !== false)
  return (
    <NextStepsCard>
      <StepList steps={[...steps, ...fillWith(suggestions, steps.length)]} />
    </NextStepsCard>
  )
}
