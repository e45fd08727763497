import { type Challenge, daysLeft, deadlineState } from '@community/contract'
import { formatInstant } from '../lib/format.ts'
import { type Translate, useT } from '../lib/i18n.ts'
import { DeadlineChip, LevelMark } from '../ui/badge.tsx'
import { DIFFICULTY_LABELS, type Difficulty } from './challenge-labels.ts'

const LEVELS: Record<Difficulty, 1 | 2 | 3 | 4> = { Beginner: 1, Intermediate: 2, Advanced: 3, Expert: 4 }

/** The difficulty of a challenge: 1 to 4 squares and its label. */
export function DifficultyMark({ difficulty }: { difficulty: Difficulty }) {
  const t = useT()
  return <LevelMark level={LEVELS[difficulty]}>{t(DIFFICULTY_LABELS[difficulty])}</LevelMark>
}

/** "3 days left", rounded up; "Expired" from the deadline on. */
function timeLeft(t: Translate, deadline: string, now: Date): string {
  const count = daysLeft(deadline, now)
  return count === 0 ? t('Expired') : t('{count, plural, one {# day left} other {# days left}}', { count })
}

const CHIP_STATES = { open: 'open', approaching: 'near', expired: 'past' } as const

/** The days left: gold when there are 3 or fewer. The `title` has the full date and time. */
export function Deadline({ challenge, now }: { challenge: Pick<Challenge, 'deadline'>; now: Date }) {
  const t = useT()
  return (
    <time dateTime={challenge.deadline} title={formatInstant(challenge.deadline)} className="inline-flex">
      <DeadlineChip state={CHIP_STATES[deadlineState(challenge.deadline, now)]}>
        {timeLeft(t, challenge.deadline, now)}
      </DeadlineChip>
    </time>
  )
}
