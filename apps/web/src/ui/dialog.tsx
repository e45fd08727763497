import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef } from 'react'
import { useT } from '../lib/i18n.ts'
import { IconButton } from './button.tsx'
import { closeTopModal, enterModal } from './modal-stack.ts'
import { useScrollLock } from './scroll-lock.ts'
import { isHandedOn } from './toast-escape.ts'

export type DialogSize = 'sm' | 'md' | 'lg' | 'xl'

const WIDTHS: Record<DialogSize, string> = {
  sm: 'sm:max-w-md',
  md: 'sm:max-w-xl',
  lg: 'sm:max-w-3xl',
  xl: 'sm:max-w-page',
}

export interface DialogProps {
  open: boolean
  /** Called with false by Escape, the close button and a press outside. */
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** The title stays for readers, but is not drawn. */
  titleHidden?: boolean
  size?: DialogSize
  /** Before the title, on its line or above: a tile, a mark. */
  head?: ReactNode
  /** Stays in view under the scrolling body. */
  footer?: ReactNode
  /** False while something runs that must not be left: no Escape, no press outside, no close button. */
  dismissible?: boolean
  /** 'alertdialog' for a question that must be answered. */
  role?: 'dialog' | 'alertdialog'
  /** What takes the focus at first. Else `[data-autofocus]` inside, else the first field (not on touch), else the panel. */
  initialFocus?: RefObject<HTMLElement | null>
  /** What takes the focus when the dialog goes. Else what opened it. */
  finalFocus?: RefObject<HTMLElement | null> | undefined
  className?: string
  children: ReactNode
}

function ScrollLock() {
  useScrollLock()
  return null
}

const FIELDS = 'input:not([type=hidden]):not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/** Where the focus goes at first: what asks for it, the first field where that opens no keyboard on screen, else the panel. */
function firstPlace(panel: HTMLElement | null): HTMLElement | null {
  const asking = panel?.querySelector<HTMLElement>('[data-autofocus]')
  if (asking) return asking
  const field = window.matchMedia('(pointer: fine)').matches ? panel?.querySelector<HTMLElement>(FIELDS) : null
  return field ?? panel
}

/** Where the focus of a dialog that has just gone belongs, until it is there: one that follows at once takes it over. */
let owed: Element | null = null

/** Makes a panel the modal on top. Focus goes back to what opened it: the primitive knows only its own trigger, ours are opened from anywhere. */
function useModal(onCloseRequest: () => void, finalFocus?: DialogProps['finalFocus']) {
  const latest = useRef(onCloseRequest)
  useEffect(() => {
    latest.current = onCloseRequest
  })
  const opener = useRef<Element | null>(null)
  const panelRef = useCallback((panel: HTMLElement | null) => {
    if (!panel) return undefined
    // Before the page is inert, which takes the focus from it.
    const { activeElement } = document
    if (!panel.contains(activeElement)) opener.current = activeElement === document.body ? owed : activeElement
    const leave = enterModal(panel, () => latest.current())
    return () => {
      owed = opener.current
      leave()
    }
  }, [])
  const giveBack = (event: Event) => {
    event.preventDefault()
    owed = null
    const last = finalFocus?.current ?? opener.current
    if (last instanceof HTMLElement && last.isConnected && last !== document.body) last.focus()
    else document.getElementById('main')?.focus({ preventScroll: true })
  }
  return { panelRef, giveBack }
}

/** Radix gives an Escape to the dialog below while a new one is not yet registered with it, though it has the focus. */
function closeTopInstead(event: Event): void {
  event.preventDefault()
  closeTopModal()
}

/** Enter that is still held from what opened the dialog answers nothing in it; in a text it goes on writing lines. */
function stopHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}

/** A modal dialog: a centred panel, on phones a sheet of full width. Focus is kept inside and given back. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, dismissible = true, role = 'dialog', size = 'md', initialFocus, finalFocus } = props
  const change = (next: boolean) => {
    if (next || dismissible) onOpenChange(next)
  }
  const { panelRef, giveBack } = useModal(() => change(false), finalFocus)
  const stay = (event: Event) => {
    if (!dismissible) event.preventDefault()
  }
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <ScrollLock />
        {/* At the panel's own level: of two dialogs, the veil of the upper one covers the lower one. */}
        <div className="dialog-veil fixed inset-0 z-50 bg-veil" />
        <div className="fixed inset-0 z-50 flex items-end justify-center sm:items-center sm:p-6">
          <Radix.Content
            ref={panelRef}
            role={role}
            onEscapeKeyDown={closeTopInstead}
            onPointerDownOutside={stay}
            onKeyDown={(event) => {
              stopHeldEnter(event)
              if (isHandedOn(event.nativeEvent)) change(false)
            }}
            {...(!props.description && { 'aria-describedby': undefined })}
            onCloseAutoFocus={giveBack}
            onOpenAutoFocus={(event) => {
              event.preventDefault()
              const panel = event.currentTarget instanceof HTMLElement ? event.currentTarget : null
              ;(initialFocus?.current ?? firstPlace(panel))?.focus()
            }}
            className={clsx(
              'dialog-panel flex max-h-[94svh] w-full flex-col overflow-hidden border border-line bg-surface shadow-float',
              'rounded-t-dialog focus:outline-none sm:max-h-[calc(100svh-3rem)] sm:rounded-dialog',
              WIDTHS[size],
              props.className,
            )}
          >
            <DialogFrame {...props} />
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

function DialogFrame({ title, titleHidden, description, head, footer, dismissible = true, children }: DialogProps) {
  const t = useT()
  return (
    <>
      <div className={clsx('flex items-start gap-3 p-4 sm:px-6', titleHidden ? 'pb-0' : 'border-b border-line')}>
        {head}
        <div className="min-w-0 grow self-center">
          <Radix.Title className={clsx('text-xl', titleHidden && 'sr-only')}>{title}</Radix.Title>
          {description && <Radix.Description className="mt-0.5 text-ink-2">{description}</Radix.Description>}
        </div>
        {dismissible && (
          <Radix.Close asChild>
            <IconButton label={t('Close')} className="-me-2 -mt-0.5">
              <X aria-hidden="true" />
            </IconButton>
          </Radix.Close>
        )}
      </div>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain p-4 sm:px-6 sm:py-5">{children}</div>
      {footer && (
        // Toasts come last in the panel's markup, but stand above the footer.
        <div className="order-1 flex flex-col-reverse gap-2 border-t border-line p-4 sm:flex-row sm:justify-end sm:px-6">
          {footer}
        </div>
      )}
    </>
  )
}

export interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** For readers; drawn by the children if at all. */
  title: string
  children: ReactNode
}

/** A panel that slides in from the end edge of the page: the mobile menu. */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  const t = useT()
  const { panelRef, giveBack } = useModal(() => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <ScrollLock />
        <div className="dialog-veil fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          ref={panelRef}
          aria-describedby={undefined}
          onEscapeKeyDown={closeTopInstead}
          onKeyDown={(event) => {
            if (isHandedOn(event.nativeEvent)) onOpenChange(false)
          }}
          onCloseAutoFocus={giveBack}
          className="sheet-panel fixed inset-y-0 end-0 z-50 flex w-[min(20rem,88vw)] flex-col overflow-y-auto border-s border-line bg-surface shadow-float focus:outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <Radix.Close asChild>
            <IconButton label={t('Close')} className="absolute end-2 top-2.5">
              <X aria-hidden="true" />
            </IconButton>
          </Radix.Close>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
