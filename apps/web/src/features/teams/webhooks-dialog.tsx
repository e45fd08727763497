import type { Team } from '@community/contract'
import { Webhooks } from '../../components/webhooks/index.tsx'
import { useT } from '../../lib/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** The webhooks of a team, for its chef. */
export function WebhooksDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const t = useT()
  return (
    <Dialog open onOpenChange={onClose} size="lg" title={t('Webhooks')} description={<bdi>{team.name}</bdi>}>
      <Webhooks teamId={team.id} />
    </Dialog>
  )
}
