import { useT } from '../../lib/i18n.ts'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** The challenges there are, to read, share and apply to. */
export function ChallengesSection() {
  const t = useT()
  return (
    <SectionBody title={t('Challenges')}>
      <EmptyState title={t('No Challenges Found')} />
    </SectionBody>
  )
}
