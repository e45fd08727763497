import { gradeOf, pointsFor } from '@community/contract'
import { SCORE } from '@community/contract/limits'
import { createMessage } from '@community/contract/message'
import { useRef } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useT, msg } from '../../lib/i18n.ts'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { parseScore } from './score.ts'

interface ScoreFieldProps {
  score: number | null
  readOnly: boolean
  onChange: (score: number | null) => void
  /** The points of the challenge. */
  points: number
}

/** The score as a number field and a slider, with its grade and points. */
export function ScoreField({ score, readOnly, onChange, points }: ScoreFieldProps) {
  const t = useT()
  const willFocus = useRef(false)
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field
        label={t('Score')}
        required
        error={
          score === null
            ? createMessage(msg('Please enter a valid score ({min}-{max})'), { min: SCORE.min, max: SCORE.max })
            : undefined
        }
        hint={t('A whole number from 1 to 100')}
      >
        <TextInput
          type="number"
          inputMode="numeric"
          min={SCORE.min}
          max={SCORE.max}
          step={1}
          value={score ?? ''}
          readOnly={readOnly}
          onChange={(event) => onChange(parseScore(event.target.value))}
          // Select all, or typing 85 after the initial 1 gives 185. Again on click, which puts the caret after the focus.
          onFocus={(event) => event.currentTarget.select()}
          onMouseDown={(event) => {
            willFocus.current = document.activeElement !== event.currentTarget
          }}
          onClick={(event) => {
            if (willFocus.current) event.currentTarget.select()
          }}
        />
      </Field>
      {/* For pointers only: keyboards and screen readers use the field above. */}
      <input
        type="range"
        aria-hidden="true"
        tabIndex={-1}
        min={SCORE.min}
        max={SCORE.max}
        value={score ?? SCORE.min}
        // Ignores changes while it is sent. `disabled` would take the focus from the control.
        onChange={(event) => !readOnly && onChange(parseScore(event.target.value))}
        className="h-6 w-full accent-primary"
      />
      <output className="flex items-center gap-3 rounded-control bg-sunken px-3 py-2">
        {score !== null && (
          <>
            <span className="text-2xl leading-none font-bold">{gradeOf(score)}</span>
            <span className="text-sm text-ink-2">
              {t('{earned} of {points} points', {
                earned: formatNumber(pointsFor(points, score)),
                points: formatNumber(points),
              })}
            </span>
          </>
        )}
      </output>
    </div>
  )
}
