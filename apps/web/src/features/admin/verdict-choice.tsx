import { useT } from '../../lib/i18n.ts'
import { Radio } from '../../ui/checkbox.tsx'
import type { Verdict } from './use-evaluation.ts'

/** Approved or rejected. */
export function VerdictChoice({ verdict, onChange }: { verdict: Verdict; onChange: (verdict: Verdict) => void }) {
  const t = useT()
  const choices: { value: Verdict; label: string }[] = [
    { value: 'approved', label: t('Approved') },
    { value: 'rejected', label: t('Rejected') },
  ]
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{t('Status')}</legend>
      <div className="grid grid-cols-2 gap-2">
        {choices.map(({ value, label }) => (
          <Radio
            key={value}
            name="verdict"
            label={label}
            value={value}
            checked={verdict === value}
            onChange={() => onChange(value)}
          />
        ))}
      </div>
    </fieldset>
  )
}
