import { type Challenge, isOpen } from '@community/contract'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useSingleFlight } from '../../lib/single-flight.ts'
import { Button } from '../../ui/button.tsx'
import { useOwnWork } from './own-work.ts'

interface SubmitButtonProps {
  challenge: Challenge
  now: Date
  onSubmit: (challenge: Challenge) => Promise<void>
}

/** Submits a project for a team given by its name, as any of its members may. Hidden if nobody can apply. */
export function SubmitButton({ challenge, now, onSubmit }: SubmitButtonProps) {
  const t = useT()
  const { canSubmit } = useOwnWork()
  const [busy, setBusy] = useState(false)
  const submit = useSingleFlight(async () => {
    setBusy(true)
    await onSubmit(challenge).finally(() => setBusy(false))
  })
  if (!isOpen(challenge, now) || !canSubmit) return null
  return (
    <Button busy={busy} onClick={() => void submit()}>
      {t('Submit Project')}
    </Button>
  )
}
