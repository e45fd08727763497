import { type Challenge, deadlineState } from '@community/contract'
import { DAY, HOUR, MINUTE } from '@community/contract/limits'
import { formatInstant } from '../lib/format.ts'
import { type Translate, useT } from '../lib/i18n.ts'
import { DeadlineChip, LevelMark } from '../ui/badge.tsx'
import { DIFFICULTY_WORDS, type Difficulty } from './challenge-words.ts'

const LEVELS: Record<Difficulty, 1 | 2 | 3 | 4> = { Beginner: 1, Intermediate: 2, Advanced: 3, Expert: 4 }

/** How hard a challenge is: 1 to 4 squares and the word. */
export function DifficultyMark({ difficulty }: { difficulty: Difficulty }) {
  const t = useT()
  return <LevelMark level={LEVELS[difficulty]}>{t(DIFFICULTY_WORDS[difficulty])}</LevelMark>
}

/** "3 days left", rounded up; below a day in hours, below an hour in minutes; "Expired" afterwards. */
export function timeLeft(t: Translate, deadline: string, now: Date): string {
  const seconds = (Date.parse(deadline) - now.getTime()) / 1000
  const rounded = (unit: number) => ({ count: Math.ceil(seconds / unit) })
  if (seconds <= 0) return t('Expired')
  if (seconds <= HOUR) return t('{count, plural, one {# minute left} other {# minutes left}}', rounded(MINUTE))
  if (seconds <= DAY) return t('{count, plural, one {# hour left} other {# hours left}}', rounded(HOUR))
  return t('{count, plural, one {# day left} other {# days left}}', rounded(DAY))
}

const CHIP_STATES = { open: 'open', approaching: 'near', expired: 'past' } as const

/** When a challenge ends: gold when 3 days or fewer are left. The full time stands in its title. */
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
