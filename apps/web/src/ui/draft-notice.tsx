import { useT } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Says that a form was restored from a draft, with a button that discards it. */
export function DraftNotice({ onStartOver, disabled = false }: { onStartOver: () => void; disabled?: boolean }) {
  const t = useT()
  return (
    <Notice
      action={
        <Button size="sm" variant="ghost" onClick={onStartOver} disabled={disabled}>
          {t('Start over')}
        </Button>
      }
    >
      {t('We kept your draft.')}
    </Notice>
  )
}
