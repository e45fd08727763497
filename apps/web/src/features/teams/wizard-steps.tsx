import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { type Translate, useT } from '../../lib/i18n.ts'
import type { Step } from './create-team-form.ts'

export const stepNames = (t: Translate): string[] => [t('Your info'), t('Team details'), t('Roles needed')]

/** The steps of the wizard with the current one marked. */
export function WizardSteps({ step }: { step: Step }) {
  const t = useT()
  return (
    <ol className="grid grid-cols-3 gap-2">
      {stepNames(t).map((name, index) => (
        <li
          key={name}
          aria-current={index === step ? 'step' : undefined}
          className={clsx(
            'grid content-start gap-1.5 border-t-3 pt-2 text-sm font-medium',
            index <= step ? 'border-primary' : 'border-line',
            index === step ? 'text-primary' : 'text-ink-2',
          )}
        >
          <span className="flex items-center gap-1.5">
            {index < step ? (
              <Check aria-hidden="true" className="size-4 shrink-0 text-primary" />
            ) : (
              <span aria-hidden="true">{formatNumber(index + 1)}</span>
            )}
            {name}
          </span>
        </li>
      ))}
    </ol>
  )
}
