import { useId } from 'react'
import { TeamTile } from '../../components/team-tile.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import type { RegisteredField } from '../../lib/use-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { Radio } from '../../ui/checkbox.tsx'
import { FieldError } from '../../ui/field.tsx'
import type { TeamEligibility } from './eligibility.ts'

interface TeamChoiceProps {
  /** The teams the member is chef of. */
  eligibilities: readonly TeamEligibility[]
  field: RegisteredField
  maxSubmissions: number
}

/** A choice of team. Teams that cannot apply are disabled and show the reason. */
export function TeamChoice({ eligibilities, field, maxSubmissions }: TeamChoiceProps) {
  const t = useT()
  const errorId = useId()
  return (
    <fieldset aria-describedby={field.error && errorId}>
      <legend className="mb-1.5 font-medium">{t('Team')}</legend>
      <div className="grid grid-cols-1 gap-2">
        {eligibilities.map((eligibility) => (
          <Radio
            key={eligibility.team.id}
            value={eligibility.team.id}
            {...field.control}
            disabled={eligibility.reason !== null}
            label={<TeamLabel eligibility={eligibility} maxSubmissions={maxSubmissions} />}
          />
        ))}
      </div>
      <div className="mt-1.5">
        <FieldError id={errorId} error={field.error} />
      </div>
    </fieldset>
  )
}

function TeamLabel({ eligibility, maxSubmissions }: { eligibility: TeamEligibility; maxSubmissions: number }) {
  const t = useT()
  const { team, usedSlots, reason } = eligibility
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <TeamTile name={team.name} size="sm" className="-my-1.5" />
      <bdi className="font-medium">{team.name}</bdi>
      {reason?.code === 'ALREADY_APPLIED' && <Badge>{t('Already Applied')}</Badge>}
      {reason?.code === 'TEAM_INACTIVE' && <Badge>{t('{team, select, other {Inactive}}')}</Badge>}
      {reason === null && usedSlots > 0 && (
        <span className="text-sm text-muted">
          {t('{taken} of {max} submitted', { taken: formatNumber(usedSlots), max: formatNumber(maxSubmissions) })}
        </span>
      )}
    </span>
  )
}
