import { type Challenge, isOpen } from '@community/contract'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useSingleFlight } from '../../lib/single-flight.ts'
import { Button } from '../../ui/button.tsx'
import { useOwnWork } from './own-work.ts'
import { haveAllApplied, eligibilitiesOf } from './eligibility.ts'

interface ApplyButtonProps {
  challenge: Challenge
  now: Date
  onApply: (challenge: Challenge) => Promise<void>
}

/** Applies, or shows 'Already Applied'. Hidden for closed challenges and for administrators without teams. */
export function ApplyButton({ challenge, now, onApply }: ApplyButtonProps) {
  const t = useT()
  const { ownWork, canSubmit } = useOwnWork()
  const [busy, setBusy] = useState(false)
  const apply = useSingleFlight(async () => {
    setBusy(true)
    await onApply(challenge).finally(() => setBusy(false))
  })
  if (!isOpen(challenge, now) || !canSubmit) return null
  if (ownWork && haveAllApplied(eligibilitiesOf(challenge, ownWork, now))) {
    return (
      <Button aria-disabled>
        <Check aria-hidden="true" />
        {t('Already Applied')}
      </Button>
    )
  }
  return (
    <Button
      variant="primary"
      busy={busy}
      aria-label={t('Apply to {title}', { title: challenge.title })}
      onClick={() => void apply()}
    >
      {t('Apply')}
    </Button>
  )
}
