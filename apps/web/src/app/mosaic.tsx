import { teamColour } from '@community/contract/colour'
import { useInfiniteQuery } from '@tanstack/react-query'
import { FIRST_QUERIES } from '../lib/first-queries.ts'
import { BY_CURSOR } from '../lib/by-cursor.ts'
import { trpc } from '../lib/trpc.ts'
import { KHATAM_PATH } from '../ui/khatam.tsx'
import '../styles/team-colours.css'

const SIDE = 8
const PITCH = 64
const CELLS = Array.from({ length: SIDE * SIDE }, (_, index) => index)
/** Cells with a team. They are fixed, so that the picture does not change while teams load. */
const LAID = new Set([
  2, 4, 5, 7, 11, 12, 14, 17, 18, 20, 21, 23, 24, 25, 27, 29, 30, 33, 34, 36, 37, 39, 40, 42, 43, 45, 46, 49, 51, 53,
  54, 57, 58, 60, 61,
])
/** Opacity of each column: they fade toward the text beside them. */
const STRENGTHS = [0.14, 0.34, 0.72, 0.92, 0.92, 0.92, 0.92, 0.92]
/** Spreads neighbours of the alphabet over the picture. */
const STRIDE = 5
const STAND_INS = Array.from({ length: LAID.size }, (_, index) => `Tile ${index * 7}`)

/** The hero's picture: 8 by 8 stars in the colours of the teams. */
export function Mosaic() {
  // Loaded by the teams section.
  const { data } = useInfiniteQuery(
    trpc.teams.list.infiniteQueryOptions(FIRST_QUERIES.teams.input, { ...BY_CURSOR, enabled: false }),
  )
  const loaded = data?.pages[0]?.teams.map((team) => team.name) ?? []
  const names = loaded.length > 0 ? loaded : STAND_INS
  const order = [...LAID]
  return (
    <svg
      viewBox={`0 0 ${SIDE * PITCH} ${SIDE * PITCH}`}
      preserveAspectRatio="xMinYMid slice"
      aria-hidden="true"
      className="mosaic size-full rtl:-scale-x-100"
    >
      {CELLS.map((cell) => {
        const name = LAID.has(cell) ? names[(order.indexOf(cell) * STRIDE) % names.length] : undefined
        const column = cell % SIDE
        const row = Math.floor(cell / SIDE)
        return (
          <path
            key={cell}
            d={KHATAM_PATH}
            transform={`translate(${column * PITCH + 2} ${row * PITCH + 2}) scale(0.94)`}
            opacity={STRENGTHS[column]}
            className={name === undefined ? 'mosaic-free' : `team-${teamColour(name)} fill-tile`}
          />
        )
      })}
    </svg>
  )
}
