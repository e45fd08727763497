import { useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { NewSecret } from '../new-secret.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookList } from './webhook-list.tsx'
import type { View } from './view.ts'

/** The webhooks of a team, for its chef, or of the community, for administrators. */
export function Webhooks({ teamId }: { teamId: string | null }) {
  const t = useT()
  const [view, setView] = useState<View>({ name: 'list' })
  const panel = useRef<HTMLDivElement>(null)
  // The pressed button disappears: move the focus to the panel. A form takes it from there.
  const show = (next: View) => {
    panel.current?.focus()
    setView(next)
  }
  const showList = () => show({ name: 'list' })
  return (
    <div ref={panel} tabIndex={-1} className="grid grid-cols-1 gap-4 focus:outline-none">
      {view.name === 'list' && (
        <>
          <p className="text-ink-2">{t('A webhook sends events to your server as they happen.')}</p>
          <Button
            variant="primary"
            className="justify-self-start"
            onClick={() => show({ name: 'form', webhook: null })}
          >
            {t('New webhook')}
          </Button>
          <WebhookList teamId={teamId} onView={show} />
        </>
      )}
      {view.name === 'form' && <WebhookForm teamId={teamId} webhook={view.webhook} onView={show} />}
      {view.name === 'secret' && (
        <NewSecret
          secret={view.secret}
          texts={{
            notice: t('Copy the signing secret now. It will not be shown again.'),
            label: t('Signing secret'),
          }}
          onDone={showList}
        />
      )}
      {view.name === 'deliveries' && <Deliveries webhook={view.webhook} onBack={showList} />}
    </div>
  )
}
