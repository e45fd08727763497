import { BIO_LENGTH_MAX, PHONE_INPUT_LENGTH } from '@community/contract/limits'
import { useT } from '../lib/i18n.ts'
import type { RegisteredField } from '../lib/use-form.ts'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { EXPERIENCE_ORDER, experienceLabels } from './experience-labels.ts'

type OptionalFieldName = 'github' | 'instagram' | 'portfolio' | 'bio'
export type PersonFieldName = 'name' | 'email' | 'phone' | 'experience' | OptionalFieldName

interface FieldsProps<Name> {
  /** The path of these fields in the form. */
  field: (name: Name) => RegisteredField
}

// Room for the digits and spaces of "+212 6 12 34 56 78".
const PHONE_SPACES = 5

/** The required fields about a person: name and contact details. */
export function RequiredPersonFields({ field }: FieldsProps<'name' | 'email' | 'phone' | 'experience'>) {
  const t = useT()
  const email = field('email')
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NameField field={field('name')} />
      <Field label={t('Email')} required error={email.error}>
        <TextInput type="email" autoComplete="email" {...email.control} />
      </Field>
      <PhoneField field={field('phone')} required />
      <ExperienceField field={field('experience')} required />
    </div>
  )
}

interface SingleFieldProps {
  field: RegisteredField
  required?: boolean
}

export function NameField({ field: { error, control } }: SingleFieldProps) {
  const t = useT()
  return (
    <Field label={t('Full Name')} required error={error}>
      <TextInput autoComplete="name" {...control} />
    </Field>
  )
}

/** The field of a Moroccan phone number. */
export function PhoneField({ field: { error, control }, required = false }: SingleFieldProps) {
  const t = useT()
  return (
    <Field label={t('Phone')} required={required} error={error} hint={t('0612345678 or +212612345678')}>
      <TextInput type="tel" autoComplete="tel" maxLength={PHONE_INPUT_LENGTH.max + PHONE_SPACES} {...control} />
    </Field>
  )
}

export function ExperienceField({ field: { error, control }, required = false }: SingleFieldProps) {
  const t = useT()
  const labels = experienceLabels(t)
  return (
    <Field label={t('Experience')} required={required} error={error}>
      <Select {...control}>
        <option value="">{t('Choose your level')}</option>
        {EXPERIENCE_ORDER.map((level) => (
          <option key={level} value={level}>
            {labels[level]}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** The optional fields about a person: links to their work, and a bio. */
export function OptionalPersonFields({ field }: FieldsProps<OptionalFieldName>) {
  const t = useT()
  const [github, instagram, portfolio, bio] = [field('github'), field('instagram'), field('portfolio'), field('bio')]
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="GitHub" error={github.error}>
        <TextInput type="url" needsPath placeholder="https://github.com/…" {...github.control} />
      </Field>
      <Field label="Instagram" error={instagram.error}>
        <TextInput type="url" needsPath placeholder="https://instagram.com/…" {...instagram.control} />
      </Field>
      <Field label={t('Portfolio')} error={portfolio.error} className="sm:col-span-2">
        <TextInput type="url" placeholder="https://" {...portfolio.control} />
      </Field>
      <Field label={t('About you')} error={bio.error} className="sm:col-span-2">
        <TextArea rows={3} {...bio.control} max={BIO_LENGTH_MAX} />
      </Field>
    </div>
  )
}
