import { PAGE_SIZE } from '@community/contract/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Application } from '../../components/application.tsx'
import { hideSuperseded } from '../../components/hide-superseded.ts'
import { goToSection } from '../../lib/navigation/navigation.ts'
import { BY_CURSOR } from '../../lib/by-cursor.ts'
import { infiniteList } from '../../lib/infinite-list.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { InfiniteList } from '../../ui/infinite-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeletons } from '../../ui/states.tsx'

const GRID = 'grid grid-cols-1 gap-4 md:grid-cols-2'

/** A team's submissions with their verdicts, newest first, without superseded rejections. */
export function TeamSubmissions({ teamId, headingId }: { teamId: string; headingId: string }) {
  const t = useT()
  const query = useInfiniteQuery(
    trpc.teams.submissions.infiniteQueryOptions(
      { id: teamId, limit: PAGE_SIZE.max },
      { ...BY_CURSOR, refetchOnMount: 'always' },
    ),
  )
  const list = infiniteList(query, (page) => page.submissions)
  const { rows, total } = list
  return (
    <section className="grid gap-3">
      <h3 id={headingId} tabIndex={-1} className="text-lg">
        {t('Team submissions')}
      </h3>
      <InfiniteList
        list={{ ...list, rows: hideSuperseded(rows) }}
        label={t('Team submissions')}
        className={GRID}
        skeleton={<Skeletons count={2} layout={GRID} className="h-64" />}
        failed={t('The team’s submissions could not be loaded')}
        empty={<NoSubmissions />}
        // Counts superseded rejections too: they were loaded.
        progress={t('{total, plural, one {{shown} of # submission loaded} other {{shown} of # submissions loaded}}', {
          shown: formatNumber(rows.length),
          total,
        })}
      >
        {(submission) => <Application key={submission.id} application={submission} />}
      </InfiniteList>
    </section>
  )
}

function NoSubmissions() {
  const t = useT()
  return (
    <EmptyState
      title={t('No submissions yet')}
      action={<Button onClick={() => goToSection('challenges')}>{t('Browse challenges')}</Button>}
    >
      {t('When this team applies to a challenge, you can follow it here.')}
    </EmptyState>
  )
}
