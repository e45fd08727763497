import type { Dashboard, Team } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CircleCheck, MessageSquareText, Settings2 } from 'lucide-react'
import { Deadline } from '../../components/challenge-badges.tsx'
import { StatusBadge } from '../../components/submission-badges.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { formatNumber } from '../../lib/format.ts'
import { listText, type Translate, useT } from '../../lib/i18n.ts'
import { goToSection, goToView } from '../../lib/navigation/navigation.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc } from '../../lib/trpc.ts'
import { useMediaQuery } from '../../ui/media-query.ts'
import { QueryError } from '../../ui/query-error.tsx'
import { openChallenges, unreadVerdicts } from './attention.ts'
import { missingSettings } from './missing-settings.ts'
import { NextStepsCard, StepSkeletons } from './next-steps-card.tsx'
import { useOpenChallenges } from './open-challenges.ts'
import { useReadVerdicts } from './read-verdicts.ts'
import { selectSubmissionsOf } from './selected-team.ts'
import { type Step, StepList } from './step-list.tsx'
import { fillWith, useSuggestedSteps } from './use-suggested-steps.ts'

const ROWS_MAX = 4
/** On a phone the rows are higher. */
const ROWS_MAX_ON_PHONE = 3
const VERDICTS_MAX = 2

/**
 * What waits for a member of a team: verdicts to read, challenges to enter, settings to complete, then suggestions; their work and rank.
 * Shows the rest if the challenges could not be loaded.
 */
export function WaitingSteps({ dashboard }: { dashboard: Dashboard }) {
  const t = useT()
  const now = useServerNow()
  const [read] = useReadVerdicts()
  const challengesQuery = useOpenChallenges()
  const challenges = challengesQuery.data?.challenges ?? []
  const verdictSteps = unreadVerdicts({ ...dashboard, read, now })
    .slice(0, VERDICTS_MAX)
    .map(
      ({ id, submission: { challengeId, teamId, status, feedback } }): Step => ({
        id,
        icon: MessageSquareText,
        tone: status === 'approved' ? 'ok' : 'bad',
        title: <bdi>{challengeId.title}</bdi>,
        note: feedback ? <bdi>{feedback}</bdi> : t('See the submission'),
        chip: <StatusBadge status={status} />,
        target: () => {
          selectSubmissionsOf(teamId.id)
          goToView('dashboard')
        },
      }),
    )
  const chefSteps = dashboard.teams
    .filter((team) => team.isActive && team.ownerId === dashboard.user.id)
    .flatMap((team) => settingSteps(team, t))
    .slice(0, 1)
  const challengeSteps = openChallenges({ ...dashboard, challenges, now }).map(
    ({ id, challenge, wasRejected }): Step => ({
      id,
      icon: CalendarClock,
      tone: 'gold',
      title: <bdi>{challenge.title}</bdi>,
      note: wasRejected ? t('Previously rejected. You can submit again.') : t('None of your teams has applied yet.'),
      chip: <Deadline challenge={challenge} now={now} />,
      target: `#challenge-${id}`,
    }),
  )
  const rowsMax = useMediaQuery('(min-width: 40rem)') ? ROWS_MAX : ROWS_MAX_ON_PHONE
  // A challenge has a deadline: neither verdicts nor settings take its row.
  const room = Math.max(1, rowsMax - verdictSteps.length - chefSteps.length)
  const steps = [...verdictSteps, ...challengeSteps.slice(0, room), ...chefSteps].slice(0, rowsMax)
  const suggestions = useSuggestedSteps()
  return (
    <NextStepsCard footer={<Figures pending={dashboard.stats.pending} />}>
      {challengesQuery.isPending ? (
        <StepSkeletons />
      ) : (
        <div className="grid grid-rows-[auto_1fr]">
          {steps.length === 0 && challengesQuery.data && <NothingWaits />}
          <QueryError
            query={challengesQuery}
            className="rounded-none border-0 border-b"
            title={t('Failed to load challenges')}
          />
          <StepList steps={[...steps, ...fillWith(suggestions, Math.max(steps.length, 1))]} />
        </div>
      )}
    </NextStepsCard>
  )
}

/** Leads the chef of a team to the settings that are not filled in. */
function settingSteps(team: Team, t: Translate): Step[] {
  const missing = missingSettings(team, t)
  const step: Step = {
    id: `settings ${team.id}`,
    icon: Settings2,
    title: t('Finish setting up {team}', { team: team.name }),
    note: t('Missing: {settings}', { settings: listText(missing) }),
    target: () => openDialog({ name: 'team', teamId: team.id }),
  }
  return missing.length > 0 ? [step] : []
}

const LINK_CLASS = 'min-h-11 text-primary underline-offset-2 hover:underline'

/** Work under review and the best rank, each with the way to it. */
function Figures({ pending }: { pending: number }) {
  const t = useT()
  const [best] = useQuery(trpc.teams.standings.queryOptions()).data?.standings ?? []
  return (
    <>
      {pending > 0 && (
        <button type="button" className={LINK_CLASS} onClick={() => goToView('dashboard')}>
          {t('{count, plural, one {# submission under review} other {# submissions under review}}', { count: pending })}
        </button>
      )}
      {/* The total counts only teams with points. */}
      {best && best.points > 0 && (
        <button type="button" className={LINK_CLASS} onClick={() => goToSection('leaderboard')}>
          {t('Rank {rank} of {count}', { rank: formatNumber(best.rank), count: formatNumber(best.teamsWithPoints) })}
        </button>
      )}
      <button type="button" className={`${LINK_CLASS} ms-auto`} onClick={() => goToView('dashboard')}>
        {t('Dashboard')}
      </button>
    </>
  )
}

function NothingWaits() {
  const t = useT()
  return (
    <p className="flex items-center gap-2 border-b border-line px-4 py-3 text-ok">
      <CircleCheck aria-hidden="true" className="size-5 shrink-0" />
      {t('Nothing needs your attention.')}
    </p>
  )
}
