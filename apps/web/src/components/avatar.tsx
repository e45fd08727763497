import { TEAM_CARD_AVATARS } from '@community/contract/limits'
import { clsx } from 'clsx'
import { formatNumber } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'

export interface Person {
  name: string
  avatarUrl?: string | null
}

const SIZES = { sm: 'size-8 text-xs', md: 'size-11 text-base', lg: 'size-16 text-xl' }

/** The initials of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => word?.match(/[\p{L}\p{N}]/u)?.[0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

/** A user's picture, or their initials. Decorative, as the name is always next to it. */
export function Avatar({
  person,
  size = 'md',
  className,
}: {
  person: Person
  size?: keyof typeof SIZES
  className?: string
}) {
  const classes = clsx('inline-grid shrink-0 place-items-center overflow-hidden rounded-full', SIZES[size], className)
  if (person.avatarUrl) {
    return (
      <img src={person.avatarUrl} alt="" loading="lazy" decoding="async" className={clsx(classes, 'object-cover')} />
    )
  }
  return (
    <span aria-hidden="true" className={clsx(classes, 'bg-primary-soft font-semibold leading-none text-primary')}>
      {initialsOf(person.name)}
    </span>
  )
}

interface AvatarStackProps {
  people: readonly Person[]
  /** The total number; the length of `people` by default. */
  total?: number
}

/** The avatars of up to 3 people, and the number of the others. */
export function AvatarStack({ people, total = people.length }: AvatarStackProps) {
  const t = useT()
  const shown = people.slice(0, TEAM_CARD_AVATARS)
  const hiddenCount = total - shown.length
  return (
    <span className="inline-flex items-center">
      <span className="sr-only">{t('{count, plural, one {# member} other {# members}}', { count: total })}</span>
      {shown.map((person, index) => (
        <Avatar key={index} person={person} size="sm" className="-ms-1.5 border-2 border-surface first:ms-0" />
      ))}
      {hiddenCount > 0 && (
        <span
          aria-hidden="true"
          dir="ltr"
          className="-ms-1.5 grid size-8 place-items-center rounded-full border-2 border-surface bg-sunken text-xs font-semibold text-ink-2"
        >
          +{formatNumber(hiddenCount)}
        </span>
      )}
    </span>
  )
}
