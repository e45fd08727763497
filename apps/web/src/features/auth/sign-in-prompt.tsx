import type { SignInIntent } from '../../lib/dialogs.ts'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useVisitorOnly } from './use-visitor-only.ts'

interface SignInPromptProps {
  /** Why signing in is needed, translated. */
  reason?: string | undefined
  /** What opens after the sign-in. */
  intent?: SignInIntent | undefined
  onClose: () => void
}

/** Asks a visitor to sign in. */
export function SignInPrompt({ reason, intent, onClose }: SignInPromptProps) {
  const t = useT()
  useVisitorOnly(onClose, intent)
  const open = (mode: 'login' | 'register') => emit('openAuthModal', { mode, intent })
  return (
    <Dialog open onOpenChange={onClose} size="sm" title={t('Authentication Required')}>
      <div className="grid gap-5">
        <p>{reason ?? t('Sign in or create a free account to continue.')}</p>
        <div className="grid gap-2">
          <Button variant="primary" onClick={() => open('login')}>
            {t('Sign In')}
          </Button>
          <Button onClick={() => open('register')}>{t('Create Account')}</Button>
          <Button variant="ghost" onClick={onClose}>
            {t('Maybe Later')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
