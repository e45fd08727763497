import { useT } from '../../lib/i18n.ts'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Teams by points. */
export function LeaderboardSection() {
  const t = useT()
  return (
    <SectionBody title={t('Leaderboard')}>
      <EmptyState title={t('No teams on the leaderboard yet')} />
    </SectionBody>
  )
}
