import { Plus } from 'lucide-react'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** The teams there are, to search, filter, join. */
export function TeamsSection() {
  const t = useT()
  return (
    <SectionBody
      title={t('Teams')}
      action={
        <Button onClick={() => emit('openCreateTeamModal')}>
          <Plus aria-hidden="true" />
          {t('Create New Team')}
        </Button>
      }
    >
      <EmptyState title={t('No Teams Yet')} />
    </SectionBody>
  )
}
