import type { PageName } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { Column } from '../../ui/column.tsx'
import { Skeletons } from '../../ui/states.tsx'

/** The privacy or terms page, in the page's language. */
export function TextPage({ page }: { page: PageName }) {
  const t = useT()
  const query = useQuery(trpc.system.page.queryOptions({ page, language: t.language }))
  return (
    <Column className="py-10 sm:py-12">
      {query.isPending && <Skeletons className="h-128" />}
      <QueryError query={query} title={t('Data Error')} />
      {query.data && (
        <article dir="auto" className="grid max-w-3xl grid-cols-1 gap-3">
          <Markdown text={query.data.page.markdown} />
        </article>
      )}
    </Column>
  )
}
