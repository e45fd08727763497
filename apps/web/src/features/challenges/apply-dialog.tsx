import type { Challenge } from '@community/contract'
import { useState } from 'react'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, useSubmit } from '../../lib/use-form.ts'
import { useOwnWork } from './own-work.ts'
import { useSubmitWork } from './submit-work.ts'
import { type TeamEligibility, eligibilitiesOf } from './eligibility.ts'
import { TeamChoice } from './team-choice.tsx'
import { useDraftReminder } from './use-draft-reminder.ts'
import { useWorkForm } from './use-work-form.ts'
import { WorkDialog } from './work-dialog.tsx'
import { WorkFields } from './work-fields.tsx'
import { ApplyForm } from './work-form.ts'

interface ApplyDialogProps {
  challenge: Challenge
  /** The eligibilities at the time of opening. */
  eligibilities: readonly TeamEligibility[]
  onClose: () => void
}

/** The eligibilities of the user's teams. `freeze` keeps them unchanged while a submission is sent, which would change them. */
function useEligibilities(challenge: Challenge, initial: readonly TeamEligibility[]) {
  const { ownWork } = useOwnWork()
  const [openedAt] = useState(useServerNow())
  const [frozen, setFrozen] = useState<readonly TeamEligibility[] | null>(null)
  const eligibilities = frozen ?? (ownWork ? eligibilitiesOf(challenge, ownWork, openedAt) : initial)
  return { eligibilities, freeze: () => setFrozen(eligibilities), unfreeze: () => setFrozen(null) }
}

/** Lets a chef apply for a team with a link, or with a file, which is uploaded first. */
export function ApplyDialog({ challenge, eligibilities: initial, onClose }: ApplyDialogProps) {
  const t = useT()
  const { eligibilities, freeze, unfreeze } = useEligibilities(challenge, initial)
  const chefTeams = eligibilities.filter(({ isChef }) => isChef)
  const eligibleTeams = chefTeams.filter(({ reason }) => reason === null)
  const isEligible = (teamId = '') => teamId === '' || eligibleTeams.some(({ team }) => team.id === teamId)
  const draftName = `apply ${challenge.id}`
  const { form, hasDraft, startOver, discardDraft } = useWorkForm<ApplyForm>(ApplyForm, {
    name: draftName,
    initialValues: { teamId: (eligibleTeams.length === 1 && eligibleTeams[0]?.team.id) || '' },
    isUsable: (draft) => isEligible(draft.teamId),
  })
  const { submitWork, ...submission } = useSubmitWork(challenge.id, {
    submitNew: ({ teamId, notes }: ApplyForm, work) =>
      trpcClient.challenges.applyTo.mutate({ id: challenge.id, teamId, applicationNotes: notes, ...work }),
    success: () => t('Application submitted successfully!'),
    form,
  })
  const submit = useSubmit(form, async (values) => {
    freeze()
    if (!(await submitWork(values))) return unfreeze()
    discardDraft()
    emit('submissionCreated', { teamId: values.teamId, challengeId: challenge.id })
    onClose()
  })
  const selected = chefTeams.find(({ team }) => team.id === form.watch('teamId'))
  useDraftReminder({ challenge, draftName, eligibility: selected, isSending: submission.isSending })
  return (
    <WorkDialog
      title={t('Apply to Challenge')}
      challengeTitle={challenge.title}
      submitLabel={t('Submit Application')}
      submission={submission}
      hasDraft={hasDraft}
      onStartOver={startOver}
      onSubmit={submit}
      onClose={onClose}
      rejected={selected?.rejected ?? null}
    >
      <TeamChoice
        eligibilities={chefTeams}
        field={registerField(form, 'teamId')}
        maxSubmissions={challenge.maxSubmissions}
      />
      <WorkFields form={form} submission={submission} />
    </WorkDialog>
  )
}
