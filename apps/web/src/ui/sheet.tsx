import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../lib/i18n.ts'
import { IconButton } from './button.tsx'
import { useModal } from './use-modal.ts'

interface SheetProps {
  onClose: () => void
  /** For screen readers only. */
  title: string
  children: ReactNode
}

/** A modal panel that slides in from the end edge of the page: the mobile menu. */
export function Sheet({ onClose, title, children }: SheetProps) {
  const t = useT()
  const modal = useModal({ onCloseRequest: onClose })
  return createPortal(
    <dialog
      {...modal}
      aria-label={title}
      className="sheet-panel ms-auto flex h-svh max-h-none w-[min(20rem,88vw)] flex-col overflow-y-auto border-s border-line bg-surface text-ink shadow-float focus:outline-none"
    >
      {/* Otherwise the first field gets the focus, and the sheet opens scrolled to it. */}
      <IconButton data-autofocus label={t('Close')} onClick={onClose} className="absolute end-2 top-2.5">
        <X aria-hidden="true" />
      </IconButton>
      {children}
    </dialog>,
    document.body,
  )
}
