import { useT } from '../../lib/i18n.ts'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Approved work of all teams. */
export function WorksSection() {
  const t = useT()
  return (
    <SectionBody title={t('Community Works')}>
      <EmptyState title={t('No Community Works Yet')} />
    </SectionBody>
  )
}
