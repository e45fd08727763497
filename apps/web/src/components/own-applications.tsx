import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { BY_CURSOR } from '../lib/by-cursor.ts'
import { type InfiniteRows, infiniteList } from '../lib/infinite-list.ts'
import { formatNumber } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { trpc } from '../lib/trpc.ts'
import { Button } from '../ui/button.tsx'
import { InfiniteList } from '../ui/infinite-list.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeletons } from '../ui/states.tsx'
import { Application } from './application.tsx'
import { hideSuperseded } from './hide-superseded.ts'

const GRID = 'grid grid-cols-1 gap-4 md:grid-cols-2'

/** The loaded applications of the user's teams, newest first. */
function useOwnApplications(): InfiniteRows<Submission> {
  const query = useInfiniteQuery(
    trpc.challenges.myTeamApplications.infiniteQueryOptions({ limit: PAGE_SIZE.max }, BY_CURSOR),
  )
  return infiniteList(query, (page) => page.applications)
}

/** The applications of the signed-in user's teams with their verdicts. `onBrowse` shows the challenges. */
export function OwnApplications({ onBrowse }: { onBrowse: () => void }) {
  const t = useT()
  const list = useOwnApplications()
  const { rows, total } = list
  return (
    <InfiniteList
      list={{ ...list, rows: hideSuperseded(rows) }}
      label={t('My Applications')}
      className={GRID}
      skeleton={<Skeletons count={2} layout={GRID} className="h-64" />}
      failed={t('Your applications could not be loaded')}
      empty={<NoApplications onBrowse={onBrowse} />}
      // Counts superseded rejections too: they were loaded.
      progress={t('{total, plural, one {{shown} of # application loaded} other {{shown} of # applications loaded}}', {
        shown: formatNumber(rows.length),
        total,
      })}
    >
      {(application) => <Application key={application.id} application={application} />}
    </InfiniteList>
  )
}

function NoApplications({ onBrowse }: { onBrowse: () => void }) {
  const t = useT()
  return (
    <EmptyState title={t('No applications yet')} action={<Button onClick={onBrowse}>{t('Browse challenges')}</Button>}>
      {t('When one of your teams applies to a challenge, you can follow it here.')}
    </EmptyState>
  )
}
