import type { Challenge } from '@community/contract'
import { useRef, useState } from 'react'
import { useServerNow } from '../../lib/server-clock.ts'
import { useRunOnce } from '../../lib/use-run-once.ts'
import { useApply, useSubmitProject } from './apply.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import type { TeamEligibility } from './eligibility.ts'
import { useLoadChallenge } from './load-challenge.ts'
import { SubmitDialog } from './submit-dialog.tsx'

interface ContinuedApplicationProps {
  kind: 'apply' | 'submit'
  challengeId: string
  onClose: () => void
}

/** Loads a challenge and does what its Apply or Submit Project button does, for a visitor who pressed it before signing in. */
export function ContinuedApplication({ kind, challengeId, onClose }: ContinuedApplicationProps) {
  const now = useServerNow()
  const loadChallenge = useLoadChallenge()
  const isReady = useRef(false)
  const [ready, setReady] = useState<{ challenge: Challenge; eligibilities: TeamEligibility[] } | null>(null)
  const onReady = (challenge: Challenge, eligibilities: TeamEligibility[]) => {
    isReady.current = true
    setReady({ challenge, eligibilities })
  }
  const start = { apply: useApply(onReady), submit: useSubmitProject(onReady) }[kind]
  useRunOnce(
    async () => {
      const loaded = await loadChallenge(challengeId)
      if (loaded) await start(loaded.challenge, now)
    },
    () => isReady.current || onClose(),
  )
  if (!ready) return null
  return kind === 'apply' ? <ApplyDialog {...ready} onClose={onClose} /> : <SubmitDialog {...ready} onClose={onClose} />
}
