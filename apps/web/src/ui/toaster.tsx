import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { type PointerEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../lib/i18n.ts'
import { type ToastRecord, type ToastType, toast, useToasts } from '../lib/toasts.ts'
import { Button, IconButton } from './button.tsx'
import { useTopModal } from './modal-stack.ts'
import { useToastExpiry } from './toast-expiry.ts'
import { useTopWithKeyboard } from './top-with-keyboard.ts'

const LOOKS: Record<ToastType, { edge: string; icon: string; Icon: typeof Info }> = {
  success: { edge: 'border-s-ok', icon: 'text-ok', Icon: CircleCheck },
  error: { edge: 'border-s-bad', icon: 'text-bad', Icon: CircleAlert },
  warning: { edge: 'border-s-saffron', icon: 'text-gold', Icon: TriangleAlert },
  info: { edge: 'border-s-primary', icon: 'text-primary', Icon: Info },
}

const SWIPE_PX = 100

/** In Arabic a swipe to the left dismisses too; Radix supports one direction. */
function useLeftSwipe(enabled: boolean, onSwipe: () => void) {
  const start = useRef<number | null>(null)
  if (!enabled) return {}
  return {
    onPointerDown: (event: PointerEvent) => {
      start.current = event.clientX
    },
    onPointerUp: (event: PointerEvent) => {
      if (start.current !== null && start.current - event.clientX > SWIPE_PX) onSwipe()
      start.current = null
    },
    onPointerCancel: () => {
      start.current = null
    },
  }
}

const isInToast = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.closest('.toast') !== null

function ToastCard({ record, inDialog }: { record: ToastRecord; inDialog: boolean }) {
  const t = useT()
  const close = () => toast.dismiss(record.id)
  const leftSwipe = useLeftSwipe(t.dir === 'rtl', close)
  const card = useToastExpiry(record)
  const { edge, icon, Icon } = LOOKS[record.type]
  const isError = record.type === 'error'
  return (
    <Toast.Root
      ref={card}
      open={record.open}
      onOpenChange={(open) => {
        if (!open) close()
      }}
      duration={Number.POSITIVE_INFINITY}
      onEscapeKeyDown={(event) => {
        if (inDialog && !isInToast(event)) event.preventDefault()
      }}
      type={isError ? 'foreground' : 'background'}
      {...leftSwipe}
      className={clsx(
        'toast pointer-events-auto flex items-start gap-3 rounded-card border border-s-4 border-line bg-surface ps-3 shadow-float',
        edge,
      )}
    >
      <Icon aria-hidden="true" className={clsx('mt-3 size-5 shrink-0', icon)} />
      {/* A long label goes below the text. */}
      <div className="flex min-w-0 grow flex-wrap">
        {/* An error is an alert itself, so exclude it from Radix's announcement. */}
        <div
          className="min-w-0 grow basis-32 py-2.5"
          {...(isError && {
            role: 'alert',
            'data-radix-toast-announce-exclude': '',
            'data-radix-toast-announce-alt': '',
          })}
        >
          <Toast.Title className="font-semibold">{record.title}</Toast.Title>
          {(record.message || record.bullets) && (
            <Toast.Description asChild>
              <div className="text-sm text-ink-2 wrap-anywhere">
                {record.message}
                {record.bullets && (
                  <ul className="mt-1 list-disc ps-4">
                    {record.bullets.map((bullet) => (
                      <li key={bullet}>{bullet}</li>
                    ))}
                  </ul>
                )}
              </div>
            </Toast.Description>
          )}
        </div>
        {record.action && (
          <Toast.Action asChild altText={record.action.label} onClick={record.action.run}>
            <Button variant="ghost" className="self-center whitespace-nowrap">
              {record.action.label}
            </Button>
          </Toast.Action>
        )}
      </div>
      <Toast.Close asChild>
        <IconButton label={t('Close')}>
          <X aria-hidden="true" />
        </IconButton>
      </Toast.Close>
    </Toast.Root>
  )
}

/** Renders the toasts of lib/toasts.ts. Mounted once, by the shell. */
export function Toaster() {
  const t = useT()
  const records = useToasts()
  const host = useTopModal()
  const top = useTopWithKeyboard()
  const viewport = (
    // aria-live keeps a menu from hiding this branch from screen readers.
    <div aria-live="off" className="*:flex">
      <Toast.Viewport
        label={t('Notifications')}
        // Directly above the keyboard it would cover the field that is filled in.
        style={top === null ? undefined : { top, bottom: 'auto' }}
        className={clsx(
          'pointer-events-none fixed inset-x-0 bottom-0 z-60 mx-auto grid w-full max-w-md gap-2 p-4 sm:mx-0',
          'max-sm:pb-[max(1rem,env(safe-area-inset-bottom))]',
          // On phones it stands between a dialog's body and footer, so that it covers neither.
          top === null && 'max-sm:in-[.dialog-panel]:static max-sm:in-[.dialog-panel]:empty:p-0',
          // A dialog has its buttons at the end, where toasts would cover them.
          host ? 'sm:end-auto sm:start-0' : 'sm:start-auto sm:end-0',
        )}
      />
    </div>
  )
  return (
    <Toast.Provider
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
      label={t('Notification')}
      announcerContainer={host ?? document.body}
    >
      {records.map((record) => (
        // Mounted again if the same toast is shown again: screen readers announce it again.
        <ToastCard key={`${record.id} ${record.createdAt}`} record={record} inDialog={host !== null} />
      ))}
      {createPortal(viewport, host ?? document.body)}
    </Toast.Provider>
  )
}
