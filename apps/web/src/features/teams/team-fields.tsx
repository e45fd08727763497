import { TEAM_DESCRIPTION_LENGTH, TEAM_SIZE_CHOICE } from '@community/contract/limits'
import { EXPERIENCE_ORDER, experienceLabels } from '../../components/experience-labels.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import type { RegisteredField } from '../../lib/use-form.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'

const { min: SMALLEST, max: LARGEST, recommended: RECOMMENDED } = TEAM_SIZE_CHOICE
const SIZES = Array.from({ length: LARGEST - SMALLEST + 1 }, (_, index) => SMALLEST + index)

/** The sizes to choose from: not below the number of members, plus the current one, which another client may have set. */
export const sizesFor = (memberCount: number, current: number): number[] =>
  [...new Set([...SIZES, current])].filter((size) => size >= memberCount).toSorted((a, b) => a - b)

interface TeamFieldsProps {
  /** The path of these fields in the form. */
  field: (name: 'description' | 'experience' | 'maxMembers') => RegisteredField
  /** The current description, for its character counter. */
  description: string
  /** The sizes to choose from; the wizard's by default. */
  sizes?: readonly number[]
}

/** The fields that creating and editing a team share. */
export function TeamFields({ field, description, sizes = SIZES }: TeamFieldsProps) {
  const t = useT()
  const levels = experienceLabels(t)
  const about = field('description')
  const experience = field('experience')
  const maxMembers = field('maxMembers')
  return (
    <>
      <Field label={t('Description')} required error={about.error}>
        <TextArea rows={5} {...about.control} max={TEAM_DESCRIPTION_LENGTH.max} value={description} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('Team experience level')} required error={experience.error}>
          <Select {...experience.control}>
            <option value="">{t('Choose a level')}</option>
            {EXPERIENCE_ORDER.map((level) => (
              <option key={level} value={level}>
                {levels[level]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('Maximum members')} required error={maxMembers.error}>
          <Select {...maxMembers.control}>
            {sizes.map((size) => (
              <option key={size} value={size}>
                {size === RECOMMENDED ? t('{size} (recommended)', { size: formatNumber(size) }) : formatNumber(size)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </>
  )
}
