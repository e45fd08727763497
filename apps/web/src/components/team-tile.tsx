import { teamColour } from '@community/contract/colour'
import { teamLook } from '@community/contract/look'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { KHATAM_PATH } from '../ui/khatam.tsx'
import { TEAM_ICON } from './team-icon.ts'
import '../styles/team-colours.css'

const SIZES = { sm: 'size-9', md: 'size-14', lg: 'size-20' }

/** The class that gives an element and its children the team’s colours: the colour `tile` and the class `.team-band` use them. */
const teamClass = (name: string): string => `team-${teamColour(name)}`

/** A team's tile: its icon on a khatam in its colour. Decorative, as the team's name is always next to it. */
export function TeamTile({
  name,
  size = 'md',
  className,
}: {
  name: string
  size?: keyof typeof SIZES
  className?: string
}) {
  const look = teamLook(name)
  const Icon = TEAM_ICON[look.icon]
  return (
    <span
      aria-hidden="true"
      className={clsx(
        `team-${look.colour}`,
        'relative inline-grid shrink-0 place-items-center',
        SIZES[size],
        className,
      )}
    >
      <svg viewBox="0 0 64 64" className="absolute inset-0 fill-tile">
        <path d={KHATAM_PATH} />
      </svg>
      <Icon className="relative size-[42%] text-on-tile" />
    </span>
  )
}

/** A team's emoji. Decorative. */
function TeamEmoji({ name }: { name: string }) {
  return (
    <span aria-hidden="true" className="text-2xl leading-none">
      {teamLook(name).emoji}
    </span>
  )
}

interface TeamBandProps {
  name: string
  /** The name, usually a heading with a button in it. */
  heading: ReactNode
  /** Shown below the name: members and maximum. */
  note?: ReactNode
  className?: string
}

/** The header of a team's card: pattern, tile, name, note, emoji. */
export function TeamBand({ name, heading, note, className }: TeamBandProps) {
  return (
    <div className={clsx(teamClass(name), 'team-band flex items-center gap-3 px-4 py-4', className)}>
      <TeamTile name={name} />
      <div className="min-w-0 grow">
        {heading}
        {note && <p className="text-sm">{note}</p>}
      </div>
      <TeamEmoji name={name} />
    </div>
  )
}
