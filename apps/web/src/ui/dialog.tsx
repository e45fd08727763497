import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../lib/i18n.ts'
import { IconButton } from './button.tsx'
import { type ModalOptions, useModal } from './use-modal.ts'

const WIDTHS = {
  sm: 'sm:max-w-md',
  md: 'sm:max-w-xl',
  lg: 'sm:max-w-3xl',
  xl: 'sm:max-w-page',
}

export interface DialogProps extends Pick<ModalOptions, 'initialFocus' | 'finalFocus'> {
  open: boolean
  /** Called with false by Escape, the close button and a press outside. */
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** The id of a text in the body that describes the dialog, in place of `description`. */
  describedBy?: string | undefined
  size?: keyof typeof WIDTHS
  /** Before the title, in its row or above: an icon, an avatar. */
  head?: ReactNode
  /** Stays in view under the scrolling body; in a short window the whole dialog scrolls. */
  footer?: ReactNode
  /** False while a request runs: Escape, a press outside and the close button do nothing. */
  dismissible?: boolean
  /** 'alertdialog' for a question that must be answered. */
  role?: 'dialog' | 'alertdialog'
  /** On phones as high as it may be, whatever it shows: its tabs do not move when another is selected. */
  fullHeight?: boolean
  className?: string
  children: ReactNode
}

/** A modal dialog: a centred panel, on phones a sheet of full width. */
export function Dialog(props: DialogProps) {
  return props.open && createPortal(<OpenDialog {...props} />, document.body)
}

function OpenDialog(props: DialogProps) {
  const { title, description, describedBy, head, footer, children, onOpenChange } = props
  const { dismissible = true, role = 'dialog', size = 'md', fullHeight, initialFocus, finalFocus } = props
  const t = useT()
  const titleId = useId()
  const descriptionId = useId()
  const close = () => {
    if (dismissible) onOpenChange(false)
  }
  const modal = useModal({ onCloseRequest: close, initialFocus, finalFocus })
  return (
    <dialog
      {...modal}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={description ? descriptionId : describedBy}
      className={clsx(
        'dialog-panel mx-auto mt-auto flex max-h-[94svh] w-full max-w-none flex-col overflow-hidden short:overflow-y-auto border border-line bg-surface text-ink',
        'rounded-t-dialog shadow-float focus:outline-none sm:my-auto sm:max-h-[calc(100svh-3rem)] sm:w-[calc(100%-3rem)] sm:rounded-dialog',
        WIDTHS[size],
        fullHeight && 'max-sm:h-[94svh]',
        props.className,
      )}
    >
      <div className="flex items-start gap-3 border-b border-line p-4 sm:px-6">
        {head}
        <div className="min-w-0 grow self-center">
          <h2 id={titleId} className="text-xl">
            {title}
          </h2>
          {description && (
            <p id={descriptionId} className="mt-0.5 text-ink-2">
              {description}
            </p>
          )}
        </div>
        {/* It stays while it does nothing: without it the header would be lower. */}
        <IconButton label={t('Close')} onClick={close} aria-disabled={!dismissible} className="-me-2 -mt-0.5">
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain p-4 short:shrink-0 short:overflow-visible sm:px-6 sm:py-5">
        {children}
      </div>
      {footer && (
        // Toasts come last in the markup, but are drawn above the footer.
        <div className="order-1 flex flex-col-reverse gap-2 border-t border-line p-4 short:flex-row short:flex-wrap short:justify-end sm:flex-row sm:justify-end sm:px-6">
          {footer}
        </div>
      )}
    </dialog>
  )
}
