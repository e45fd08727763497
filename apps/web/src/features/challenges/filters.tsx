import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import {
  CATEGORIES,
  CATEGORY_LABELS,
  type Category,
  DIFFICULTIES,
  DIFFICULTY_LABELS,
  type Difficulty,
} from '../../components/challenge-labels.ts'
import { SEARCH_LENGTH_MAX } from '@community/contract/limits'
import { useT } from '../../lib/i18n.ts'
import { memoryState } from '../../lib/memory-state.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'

export interface Filters {
  search: string
  category: Category | ''
  difficulty: Difficulty | ''
}

export const NO_FILTERS: Filters = { search: '', category: '', difficulty: '' }

export const isFiltering = (filters: Filters): boolean => Object.values(filters).some((value) => value !== '')

interface FilterFormProps {
  applied: Filters
  onApply: (filters: Filters) => void
}

/** What is chosen but not applied yet survives a change of the tab. It ends when other filters are applied. */
const useStoredDraft = memoryState({ applied: NO_FILTERS, draft: NO_FILTERS })

/** Search, category and difficulty; they take effect on submit. */
export function FilterForm({ applied, onApply }: FilterFormProps) {
  const t = useT()
  const [stored, store] = useStoredDraft()
  const draft = stored.applied === applied ? stored.draft : applied
  const setDraft = (next: Filters) => store({ applied, draft: next })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const next = { ...draft, search: draft.search.trim() }
    store({ applied: next, draft: next })
    onApply(next)
  }
  return (
    <form
      role="search"
      aria-label={t('Search challenges')}
      onSubmit={onSubmit}
      className="mb-5 grid grid-cols-1 items-end gap-3 min-[24rem]:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_auto]"
    >
      <Field label={t('Search challenges')} labelHidden className="max-lg:col-span-full">
        <TextInput
          type="search"
          icon={Search}
          maxLength={SEARCH_LENGTH_MAX}
          placeholder={t('Title or description')}
          value={draft.search}
          onChange={(event) => setDraft({ ...draft, search: event.target.value })}
        />
      </Field>
      <Field label={t('Category')} labelHidden>
        <Select
          value={draft.category}
          // The options are its only possible values.
          onChange={(event) => setDraft({ ...draft, category: event.target.value as Category | '' })}
        >
          <option value="">{t('All categories')}</option>
          {CATEGORIES.map((category) => (
            <option key={category} value={category}>
              {t(CATEGORY_LABELS[category])}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('Difficulty')} labelHidden>
        <Select
          value={draft.difficulty}
          onChange={(event) => setDraft({ ...draft, difficulty: event.target.value as Difficulty | '' })}
        >
          <option value="">{t('All difficulties')}</option>
          {DIFFICULTIES.map((difficulty) => (
            <option key={difficulty} value={difficulty}>
              {t(DIFFICULTY_LABELS[difficulty])}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" className="max-lg:col-span-full">
        {t('Apply Filters')}
      </Button>
    </form>
  )
}
