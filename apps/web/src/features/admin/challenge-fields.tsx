import { messageOf } from '../../lib/schema-resolver.ts'
import {
  CHALLENGE_DESCRIPTION_LENGTH_MAX,
  CHALLENGE_POINTS,
  MAX_SUBMISSIONS,
  REQUIREMENTS_MAX,
} from '@community/contract/limits'
import { Controller, type FieldError } from 'react-hook-form'
import { CATEGORIES, CATEGORY_LABELS, DIFFICULTIES, DIFFICULTY_LABELS } from '../../components/challenge-labels.ts'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { registerField, type SchemaForm } from '../../lib/use-form.ts'
import { fromWallClock, minutesAhead } from '../../lib/viewer-zone.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { type ChallengeDraft, type ParsedChallenge, formatUtcOffset } from './challenge-form.ts'
import { ResourceFields } from './resource-fields.tsx'
import { TextListField } from './text-list-field.tsx'

export type ChallengeForm = SchemaForm<ChallengeDraft, ParsedChallenge>

/** The fields of a challenge. */
export function ChallengeFields({ form }: { form: ChallengeForm }) {
  const t = useT()
  const title = registerField(form, 'title')
  const description = registerField(form, 'description')
  return (
    <>
      <Field label={t('Title')} error={title.error} required>
        <TextInput {...title.control} />
      </Field>
      <Field label={t('Description')} error={description.error} required>
        <TextArea {...description.control} rows={5} max={CHALLENGE_DESCRIPTION_LENGTH_MAX} />
      </Field>
      <TextListController form={form} name="requirements" />
      <div className="grid gap-5 sm:grid-cols-2">
        <DeadlineField form={form} />
        <NumberField
          form={form}
          name="points"
          label={t('Points')}
          hint={t('From 1 to 1000')}
          range={CHALLENGE_POINTS}
        />
        <CategoryFields form={form} />
        <NumberField
          form={form}
          name="maxSubmissions"
          label={t('Maximum submissions per team')}
          hint={t('From 1 to 5')}
          range={MAX_SUBMISSIONS}
        />
        <Field label={t('Tags')} error={registerField(form, 'tags').error} hint={t('Separated by commas')}>
          <TextInput {...form.register('tags')} />
        </Field>
      </div>
      <TextListController form={form} name="evaluationCriteria" />
      <ResourceFields form={form} />
    </>
  )
}

function TextListController({ form, name }: { form: ChallengeForm; name: 'requirements' | 'evaluationCriteria' }) {
  const t = useT()
  const isRequired = name === 'requirements'
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field, fieldState }) => (
        <TextListField
          legend={isRequired ? t('Requirements') : t('Evaluation criteria')}
          itemLabel={(number) =>
            isRequired ? t('Requirement {number}', { number }) : t('Criterion {number}', { number })
          }
          addLabel={isRequired ? t('Add requirement') : t('Add criterion')}
          required={isRequired}
          max={REQUIREMENTS_MAX}
          lines={field.value}
          onChange={(lines) => {
            field.onChange(lines)
            if (fieldState.error) void form.trigger(name)
          }}
          error={messageOf(errorOfList(fieldState.error))}
          invalidLine={invalidLineOf(fieldState.error)}
          ref={(fieldset) => {
            // The form focuses before it renders the error, so the line is looked up then.
            const focus = () =>
              fieldset?.querySelectorAll('input')[invalidLineOf(form.getFieldState(name).error)]?.focus()
            field.ref(fieldset && { focus })
          }}
        />
      )}
    />
  )
}

/** The index of the first line with an error; 0 if the error is the list's. */
const invalidLineOf = (error: unknown): number => (Array.isArray(error) ? error.findIndex(Boolean) : 0)

/** The error of the list, or the first error of its lines. */
const errorOfList = (error: FieldError | undefined): FieldError | undefined =>
  Array.isArray(error) ? (error as FieldError[])[invalidLineOf(error)] : error

function DeadlineField({ form }: { form: ChallengeForm }) {
  const t = useT()
  const now = useServerNow()
  const deadline = registerField(form, 'deadline')
  const localDeadline = fromWallClock(form.watch('deadline'))
  const instant = Number.isNaN(localDeadline.getTime()) ? now : localDeadline
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Field
      label={t('Deadline')}
      error={deadline.error}
      hint={t('In your time zone: {zone}, {offset}', { zone, offset: formatUtcOffset(minutesAhead(instant)) })}
      required
    >
      <TextInput type="datetime-local" dir="ltr" {...deadline.control} />
    </Field>
  )
}

function CategoryFields({ form }: { form: ChallengeForm }) {
  const t = useT()
  const category = registerField(form, 'category')
  const difficulty = registerField(form, 'difficulty')
  return (
    <>
      <Field label={t('Category')} error={category.error} required>
        <Select {...category.control}>
          {CATEGORIES.map((option) => (
            <option key={option} value={option}>
              {t(CATEGORY_LABELS[option])}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('Difficulty')} error={difficulty.error} required>
        <Select {...difficulty.control}>
          {DIFFICULTIES.map((option) => (
            <option key={option} value={option}>
              {t(DIFFICULTY_LABELS[option])}
            </option>
          ))}
        </Select>
      </Field>
    </>
  )
}

interface NumberFieldProps {
  form: ChallengeForm
  name: 'points' | 'maxSubmissions'
  label: string
  hint: string
  range: { min: number; max: number }
}

function NumberField({ form, name, label, hint, range }: NumberFieldProps) {
  const number = registerField(form, name, { valueAsNumber: true })
  return (
    <Field label={label} error={number.error} hint={hint} required>
      <TextInput type="number" inputMode="numeric" step={1} min={range.min} max={range.max} {...number.control} />
    </Field>
  )
}
