import type { PageName } from '@community/contract'
import { PAGE_TEXT_LENGTH_MAX } from '@community/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { type Language, LANGUAGE_NAMES, LANGUAGES, useT } from '../../lib/i18n.ts'
import { useUserDraft } from '../../lib/memory-state.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { LoadFailure } from './load-failure.tsx'

interface Choice {
  page: PageName
  language: Language
}

/** The texts of the privacy and terms pages, one page and language at a time. A text that is not saved stays in this tab. */
export function PagesForm() {
  const t = useT()
  const [choice, setChoice] = useState<Choice>({ page: 'privacy', language: t.language })
  const { page, language } = choice
  // Not from the cache, so that the edit starts from the current text.
  const query = useQuery(
    trpc.system.page.queryOptions(choice, { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false }),
  )
  const current = query.isFetchedAfterMount ? query.data?.page : undefined
  const labels: Record<PageName, string> = { privacy: t('Privacy'), terms: t('Terms') }
  return (
    <div className="grid max-w-2xl gap-4 rounded-card border border-line bg-surface px-4 py-3">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('Document')} required>
          <Select value={page} onChange={({ target }) => setChoice({ ...choice, page: target.value as PageName })}>
            {Object.entries(labels).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('Language')} required>
          <Select
            value={language}
            onChange={({ target }) => setChoice({ ...choice, language: target.value as Language })}
          >
            {LANGUAGES.map((value) => (
              <option key={value} value={value}>
                {LANGUAGE_NAMES[value]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {!current && !query.isError && <Skeletons className="h-64" />}
      <LoadFailure query={{ ...query, data: current }} />
      {current && (
        <PageText
          key={`${page} ${language}`}
          choice={choice}
          label={labels[page]}
          placeholder={current.isDefault ? current.markdown : undefined}
          saved={current.isDefault ? '' : current.markdown}
        />
      )}
    </div>
  )
}

interface PageTextProps {
  choice: Choice
  label: string
  /** The default text, which an empty one restores. */
  placeholder: string | undefined
  /** The current text; empty for the default. */
  saved: string
}

function PageText({ choice, label, placeholder, saved }: PageTextProps) {
  const t = useT()
  const [draft, setDraft] = useUserDraft(`pageDraft ${choice.page} ${choice.language}`)
  const [isRestored, setRestored] = useState(draft !== null)
  const text = draft ?? saved
  const save = useAction(trpcClient.admin.setPage, {
    input: (next: string, { password }) => ({ ...choice, markdown: next, password }),
    password: {
      title: t('Save changes'),
      message: t('Enter your admin password to save the changes.'),
      confirmLabel: t('Save'),
    },
    success: t('Done'),
    invalidates: ['system.page'],
    ...AFTER_ADMIN_ACTION,
  })
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (await save.run(text)) setDraft(null)
  }
  return (
    <form onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
      {isRestored && draft !== null && (
        <DraftNotice
          onStartOver={() => {
            setDraft(null)
            setRestored(false)
          }}
        />
      )}
      <Field label={label} hint={t('Markdown. Leave empty for the default text.')}>
        <TextArea
          rows={12}
          max={PAGE_TEXT_LENGTH_MAX}
          value={text}
          readOnly={save.isPending}
          onChange={({ target }) => setDraft(target.value === saved ? null : target.value)}
          placeholder={placeholder}
        />
      </Field>
      {save.failure && <Notice tone="bad" message={save.failure} />}
      <Button type="submit" className="justify-self-start" busy={save.isPending}>
        {t('Save')}
      </Button>
    </form>
  )
}
