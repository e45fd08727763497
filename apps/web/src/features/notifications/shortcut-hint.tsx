import { Keyboard } from 'lucide-react'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/button.tsx'

const Key = ({ children }: { children: ReactNode }) => (
  <kbd dir="ltr" className="rounded-sm border border-line bg-sunken px-1.5 text-ink-2">
    {children}
  </kbd>
)

/** The keys of the list, and a button that switches them off. */
export function ShortcutHint({ areOn, onToggle }: { areOn: boolean; onToggle: () => void }) {
  const t = useT()
  return (
    <div className="hidden items-center justify-between gap-3 px-2 text-sm text-muted pointer-fine:flex">
      <p className={areOn ? 'flex flex-wrap gap-x-3 gap-y-1' : 'invisible'}>
        <span>
          <Key>J</Key> <Key>K</Key> {t('move')}
        </span>
        <span>
          <Key>↵</Key> {t('open')}
        </span>
        <span>
          <Key>U</Key> {t('read or unread')}
        </span>
      </p>
      <IconButton
        label={t('Keyboard shortcuts J, K and U')}
        aria-pressed={areOn}
        className="aria-pressed:text-primary"
        onClick={onToggle}
      >
        <Keyboard aria-hidden="true" />
      </IconButton>
    </div>
  )
}
