import { Images, Swords, Trophy } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { goToSection } from '../../lib/navigation/navigation.ts'
import { useOpenChallenges } from './open-challenges.ts'
import type { Step } from './step-list.tsx'

/** Enough to fill the height that the first screen reserves. */
const ROWS_MIN = 3

/** What anybody can look at, challenges first. */
export function useSuggestedSteps(): Step[] {
  const t = useT()
  const { data } = useOpenChallenges()
  const next = data?.challenges[0]
  return [
    {
      id: 'challenges',
      icon: Swords,
      title: t('Browse challenges'),
      note: next
        ? t('{count, plural, one {# is open.} other {# are open.}} The next deadline is {date}.', {
            count: data.pagination.total,
            date: formatDateTime(next.deadline),
          })
        : t('See what teams are working on and what is required.'),
      target: () => goToSection('challenges'),
    },
    {
      id: 'works',
      icon: Images,
      title: t('Community Works'),
      note: t('See what other teams have made.'),
      target: () => goToSection('works'),
    },
    {
      id: 'leaderboard',
      icon: Trophy,
      title: t('Leaderboard'),
      note: t('See which teams are ahead.'),
      target: () => goToSection('leaderboard'),
    },
  ]
}

/** Suggestions for the rows that `taken` leaves free. */
export const fillWith = (suggestions: readonly Step[], taken: number): readonly Step[] =>
  suggestions.slice(0, Math.max(0, ROWS_MIN - taken))
