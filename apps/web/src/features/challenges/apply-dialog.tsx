import type { Challenge } from '@community/contract'
import { useState } from 'react'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { bound, useSubmit } from '../../lib/use-form.ts'
import { useOwn } from './own-work.ts'
import { useSendWork } from './send-work.ts'
import { type Standing, standingsOf } from './standing.ts'
import { TeamChoice } from './team-choice.tsx'
import { useWorkForm } from './use-work-form.ts'
import { WorkDialog } from './work-dialog.tsx'
import { WorkFields } from './work-fields.tsx'
import { ApplyForm } from './work-form.ts'

export interface ApplyDialogProps {
  challenge: Challenge
  /** As they were found when it was opened. */
  standings: readonly Standing[]
  onClose: () => void
}

/** How the reader's teams stand to a challenge, as far as is known. `hold` keeps them so while what is sent changes them. */
function useStandings(challenge: Challenge, first: readonly Standing[]) {
  const { known } = useOwn()
  const [opened] = useState(useServerNow())
  const [held, setHeld] = useState<readonly Standing[] | null>(null)
  const standings = held ?? (known ? standingsOf(challenge, known, opened) : first)
  return { standings, hold: () => setHeld(standings), letGo: () => setHeld(null) }
}

/** A chef applies for a team: with a link, or with a file that is sent first. */
export function ApplyDialog({ challenge, standings: first, onClose }: ApplyDialogProps) {
  const t = useT()
  const { standings, hold, letGo } = useStandings(challenge, first)
  const led = standings.filter(({ isChef }) => isChef)
  const free = led.filter(({ refusal }) => refusal === null)
  const isFree = (teamId = '') => teamId === '' || free.some(({ team }) => team.id === teamId)
  const { form, hasDraft, startOver, forget } = useWorkForm<ApplyForm>(ApplyForm, {
    name: `apply ${challenge.id}`,
    start: { teamId: (free.length === 1 && free[0]?.team.id) || '' },
    isUsable: (draft) => isFree(draft.teamId),
  })
  const { send, ...sending } = useSendWork(challenge.id, {
    handIn: ({ teamId, notes }: ApplyForm, work) =>
      trpcClient.challenges.applyTo.mutate({ id: challenge.id, teamId, applicationNotes: notes, ...work }),
    success: () => t('Application submitted successfully!'),
    form,
  })
  const submit = useSubmit(form, async (filled) => {
    hold()
    if (!(await send(filled))) return letGo()
    forget()
    emit('submissionCreated', { teamId: filled.teamId, challengeId: challenge.id })
    onClose()
  })
  const chosen = led.find(({ team }) => team.id === form.watch('teamId'))
  return (
    <WorkDialog
      title={t('Apply to Challenge')}
      challengeTitle={challenge.title}
      submitLabel={t('Submit Application')}
      sending={sending}
      hasDraft={hasDraft}
      onStartOver={startOver}
      onSubmit={submit}
      onClose={onClose}
      rejected={chosen?.rejected ?? null}
    >
      <TeamChoice standings={led} field={bound(form, 'teamId')} maxSubmissions={challenge.maxSubmissions} />
      <WorkFields form={form} sending={sending} />
    </WorkDialog>
  )
}
