import type { Challenge } from '@community/contract'
import { useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { useRunOnce } from '../../lib/use-run-once.ts'
import { useApply, useSubmitProject } from './apply.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import type { TeamEligibility } from './eligibility.ts'
import { SubmitDialog } from './submit-dialog.tsx'

interface ContinuedApplicationProps {
  kind: 'apply' | 'submit'
  challengeId: string
  onClose: () => void
}

/** Loads a challenge and does what its Apply or Submit Project button does, for who pressed it before signing in. */
export function ContinuedApplication({ kind, challengeId, onClose }: ContinuedApplicationProps) {
  const t = useT()
  const now = useServerNow()
  const utils = trpc.useUtils()
  const isReady = useRef(false)
  const [ready, setReady] = useState<{ challenge: Challenge; eligibilities: TeamEligibility[] } | null>(null)
  const onReady = (challenge: Challenge, eligibilities: TeamEligibility[]) => {
    isReady.current = true
    setReady({ challenge, eligibilities })
  }
  const start = { apply: useApply(onReady), submit: useSubmitProject(onReady) }[kind]
  useRunOnce(
    () =>
      utils.challenges.get.fetch({ id: challengeId }).then(
        ({ challenge }) => start(challenge, now),
        (error: unknown) => toast.failure(error, t('Error'), t('Failed to load challenges')),
      ),
    () => isReady.current || onClose(),
  )
  if (!ready) return null
  return kind === 'apply' ? <ApplyDialog {...ready} onClose={onClose} /> : <SubmitDialog {...ready} onClose={onClose} />
}
