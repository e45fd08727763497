import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { trpc } from '../../../lib/trpc.ts'
import type { RegisteredField } from '../../../lib/use-form.ts'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { useAdminSearch } from '../use-admin-search.ts'
import { SearchField } from '../search-field.tsx'

interface Choice {
  id: string
  title: string
}

interface ChallengeChoiceProps {
  field: RegisteredField
  /** The id of the chosen challenge, maybe of a restored draft; empty without one. */
  value: string
}

/** A choice among all challenges; those beyond the first page are found by a search. */
export function ChallengeChoice({ field, value }: ChallengeChoiceProps) {
  const t = useT()
  const { search, input, setSearch } = useAdminSearch()
  const [initial] = useState(value)
  const [chosen, setChosen] = useState<Choice | null>(null)
  const { data } = useQuery(
    trpc.admin.listChallenges.queryOptions({ ...input, sort: 'deadline' }, { placeholderData: keepPreviousData }),
  )
  const found: readonly Choice[] = data?.challenges ?? []
  const isListed = (challengeId: string) => found.some(({ id }) => id === challengeId)
  const isUnlisted = data !== undefined && initial !== '' && value === initial && chosen === null && !isListed(initial)
  // Of the initial value: without the restored one, the select would be drawn anew at the next choice, and lose the focus.
  const restored = useQuery(trpc.challenges.get.queryOptions({ id: initial }, { enabled: isUnlisted })).data?.challenge
  // Neither a search for others nor a restored draft may hide the choice.
  const choice = chosen ?? restored
  const choices = choice && !isListed(choice.id) ? [choice, ...found] : found
  const total = data?.pagination.total ?? 0
  const isPartial = total > found.length
  // Enter in a field of a form submits it.
  const keepFormOpen = (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault()
  return (
    <div className="grid content-start gap-2">
      <Field
        label={t('Challenge')}
        error={field.error}
        required
        {...(isPartial && {
          hint: t('{total, plural, one {{shown} of # challenge shown} other {{shown} of # challenges shown}}', {
            shown: formatNumber(found.length),
            total,
          }),
        })}
      >
        {/* Drawn anew when the choices arrive, so that it shows the form's value. */}
        <Select
          key={[data ? 'loaded' : 'loading', restored?.id].join()}
          {...field.control}
          onChange={(event) => {
            setChosen(choices.find(({ id }) => id === event.target.value) ?? null)
            void field.control.onChange(event)
          }}
        >
          <option value="">{t('Choose a challenge')}</option>
          {choices.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      </Field>
      {(isPartial || search !== '') && (
        <SearchField
          label={t('Search challenges')}
          placeholder={t('Search challenges')}
          value={search}
          onChange={setSearch}
          onKeyDown={keepFormOpen}
        />
      )}
    </div>
  )
}
