import { emit } from '../lib/events.ts'
import { useT } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** Shown to visitors in place of what belongs to a user. */
export function PleaseSignIn({ text, className }: { text: string; className?: string }) {
  const t = useT()
  return (
    <EmptyState
      title={t('Please Sign In')}
      className={className}
      action={
        <Button variant="primary" onClick={() => emit('openAuthModal', { mode: 'login' })}>
          {t('Sign In')}
        </Button>
      }
    >
      {text}
    </EmptyState>
  )
}
