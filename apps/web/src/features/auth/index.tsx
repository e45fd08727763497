import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'

export interface AuthModalProps {
  mode: 'login' | 'register'
  onClose: () => void
}

/** Sign in and sign up. */
export function AuthModal({ mode, onClose }: AuthModalProps) {
  const t = useT()
  const [tab, setTab] = useState(mode)
  return (
    <Dialog open onOpenChange={onClose} size="sm" title={t('Welcome to the community')}>
      <Tabs
        label={t('Account')}
        value={tab}
        onChange={setTab}
        items={[
          { value: 'login', label: t('Sign In'), content: <EmptyState title={t('Sign In')} /> },
          { value: 'register', label: t('Sign Up'), content: <EmptyState title={t('Sign Up')} /> },
        ]}
      />
    </Dialog>
  )
}
