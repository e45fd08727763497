import { TeamTile } from '../../components/team-tile.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import type { BoundField } from '../../lib/use-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { Radio } from '../../ui/checkbox.tsx'
import { FieldError } from '../../ui/field.tsx'
import type { Standing } from './standing.ts'

interface TeamChoiceProps {
  /** The teams the member is chef of. */
  standings: readonly Standing[]
  field: BoundField
  maxSubmissions: number
}

/** The teams one may apply for; those that cannot say why. */
export function TeamChoice({ standings, field, maxSubmissions }: TeamChoiceProps) {
  const t = useT()
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{t('Team')}</legend>
      <div className="grid grid-cols-1 gap-2">
        {standings.map((standing) => (
          <Radio
            key={standing.team.id}
            value={standing.team.id}
            {...field.control}
            disabled={standing.refusal !== null}
            label={<Choice standing={standing} maxSubmissions={maxSubmissions} />}
          />
        ))}
      </div>
      <div className="mt-1.5">
        <FieldError error={field.error} />
      </div>
    </fieldset>
  )
}

function Choice({ standing, maxSubmissions }: { standing: Standing; maxSubmissions: number }) {
  const t = useT()
  const { team, taken, refusal } = standing
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <TeamTile name={team.name} size="sm" className="-my-1.5" />
      <bdi className="font-medium">{team.name}</bdi>
      {refusal?.code === 'ALREADY_APPLIED' && <Badge>{t('Already Applied')}</Badge>}
      {refusal?.code === 'TEAM_INACTIVE' && <Badge>{t('{team, select, other {Inactive}}')}</Badge>}
      {refusal === null && taken > 0 && (
        <span className="text-sm text-muted">
          {t('{taken} of {max} sent', { taken: formatNumber(taken), max: formatNumber(maxSubmissions) })}
        </span>
      )}
    </span>
  )
}
