import { TEAM_DESCRIPTION_LENGTH, TEAM_NAME_LENGTH, TEAM_SIZE_CHOICE } from '@community/contract/limits'
import { TeamBand } from '../../brand/team-tile.tsx'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { bound } from '../../lib/use-form.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { EXPERIENCE_ORDER, experienceLabels } from '../../brand/experience-labels.ts'
import type { TeamForm } from './use-create-team.ts'

const { min: SMALLEST, max: LARGEST, recommended: RECOMMENDED } = TEAM_SIZE_CHOICE
const SIZES = Array.from({ length: LARGEST - SMALLEST + 1 }, (_, index) => SMALLEST + index)

/** Step 2: what the team is. Its tile follows its name. */
export function DetailsStep({ form }: { form: TeamForm }) {
  const t = useT()
  const levels = experienceLabels(t)
  const name = bound(form, 'name')
  const description = bound(form, 'description')
  const experience = bound(form, 'experience')
  const maxMembers = bound(form, 'maxMembers', { setValueAs: Number })
  return (
    <div className="grid gap-4">
      <Preview name={form.watch('name')} size={Number(form.watch('maxMembers'))} />
      <Field label={t('Team Name')} required error={name.error}>
        <TextInput autoComplete="off" {...name.control} maxLength={TEAM_NAME_LENGTH.max} />
      </Field>
      <Field label={t('Description')} required error={description.error}>
        <TextArea
          rows={5}
          {...description.control}
          max={TEAM_DESCRIPTION_LENGTH.max}
          value={form.watch('description')}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('Team Experience Level')} required error={experience.error}>
          <Select {...experience.control}>
            <option value="">{t('Choose a level')}</option>
            {EXPERIENCE_ORDER.map((level) => (
              <option key={level} value={level}>
                {levels[level]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('Maximum Members')} required error={maxMembers.error}>
          <Select {...maxMembers.control}>
            {SIZES.map((size) => (
              <option key={size} value={size}>
                {size === RECOMMENDED ? t('{size} (recommended)', { size: formatNumber(size) }) : formatNumber(size)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </div>
  )
}

/** How the card's head will look. */
function Preview({ name, size }: { name: string; size: number }) {
  const t = useT()
  const shown = name.trim() || t('Your team')
  return (
    <div aria-hidden="true" className="overflow-hidden rounded-card border border-line">
      <TeamBand
        name={shown}
        heading={
          <p className="truncate font-(family-name:--display) text-lg font-bold">
            <bdi>{shown}</bdi>
          </p>
        }
        note={`${t('{count, plural, one {# member} other {# members}}', { count: 1 })} / ${formatNumber(size)}`}
      />
    </div>
  )
}
