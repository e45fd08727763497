import { useOwnApplications } from '../../brand/own-applications.tsx'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** What a member's teams have reached so far. */
export function OwnFigures({ userId }: { userId: string }) {
  const t = useT()
  const teams = trpc.users.teams.useQuery({ id: userId }).data?.teams
  const applications = useOwnApplications().total
  const tiles = [
    { label: t('Teams'), figure: teams?.length },
    { label: t('Points'), figure: teams && sum(teams.map((team) => team.points)) },
    { label: t('Challenges completed'), figure: teams && sum(teams.map((team) => team.challengesCompleted)) },
    { label: t('Applications'), figure: applications },
  ]
  return (
    <StatTiles>
      {tiles.map(({ label, figure }) => (
        <StatTile key={label} label={label} value={figure === undefined ? '–' : formatNumber(figure)} />
      ))}
    </StatTiles>
  )
}
