import { TeamBand } from '../../components/team-tile.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { registerField } from '../../lib/use-form.ts'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { TeamFields } from './team-fields.tsx'
import type { TeamForm } from './use-create-team.ts'

/** Step 2: the team's details. The preview follows the name. */
export function DetailsStep({ form }: { form: TeamForm }) {
  const t = useT()
  const name = registerField(form, 'name')
  return (
    <div className="grid gap-4">
      <Preview name={form.watch('name')} size={Number(form.watch('maxMembers'))} />
      <Field label={t('Team name')} required error={name.error}>
        <TextInput autoComplete="off" {...name.control} />
      </Field>
      <TeamFields
        field={(part) => registerField(form, part, part === 'maxMembers' ? { setValueAs: Number } : {})}
        description={form.watch('description')}
      />
    </div>
  )
}

/** A preview of the card's header. */
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
