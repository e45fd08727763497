import { useT } from '../../lib/i18n.ts'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Moderation and settings, for admins. */
export function AdminDashboard() {
  const t = useT()
  return (
    <SectionBody title={t('Admin Dashboard')}>
      <EmptyState title={t('No Teams Yet')} />
    </SectionBody>
  )
}
