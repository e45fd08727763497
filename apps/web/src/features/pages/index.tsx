import type { PageName } from '@community/contract'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { Column } from '../../ui/section.tsx'
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx'

/** The privacy or terms page, in the page's language. */
export function TextPage({ page }: { page: PageName }) {
  const t = useT()
  const query = trpc.system.page.useQuery({ page, language: t.language })
  return (
    <Column className="py-10 sm:py-12">
      {query.isPending && (
        <Loading>
          <Skeleton className="h-128" />
        </Loading>
      )}
      {query.isError && !query.data && (
        <ErrorState
          title={t('Data Error')}
          message={failureOf(query.error)}
          onRetry={() => void query.refetch()}
          busy={query.isFetching}
        />
      )}
      {query.data && (
        <article dir="auto" className="grid max-w-3xl grid-cols-1 gap-3">
          <Markdown text={query.data.page.markdown} />
        </article>
      )}
    </Column>
  )
}
