import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useEffect, useRef } from 'react'
import { enterModal, topModal } from './modal-stack.ts'

export interface ModalOptions {
  /** Called on Escape, Android's Back and a click on the backdrop. */
  onCloseRequest: () => void
  /**
   * Gets the initial focus; the same object at every render. Defaults to `[data-autofocus]` inside, else the first field (not on touch), else
   * the dialog.
   */
  initialFocus?: RefObject<HTMLElement | null> | undefined
  /** Gets the focus when the dialog closes; the same object at every render. Defaults to what had it before. */
  finalFocus?: RefObject<HTMLElement | null> | undefined
}

const FIELDS = ':is(input:not([type=hidden]), select, textarea):not(:disabled, [tabindex="-1"])'

/** Moves the focus to where it is when a dialog opens. On touch to no field: its keyboard would cover half the dialog. */
export function focusFirst(dialog: HTMLElement): void {
  const marked = dialog.querySelector<HTMLElement>('[data-autofocus]')
  const field = window.matchMedia('(pointer: fine)').matches ? dialog.querySelector<HTMLElement>(FIELDS) : null
  ;(marked ?? field ?? dialog).focus()
}

/** The browser restores the focus too, but not to `finalFocus`, and not if the opener is gone. */
function restoreFocus(target: Element | null): void {
  if (target instanceof HTMLElement) target.focus()
  // Deferred: React may remove the opener in this commit, and the next dialog may have taken the focus.
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return
    const container = topModal() ?? document.getElementById('main')
    const replacement = container?.querySelector<HTMLElement>('[data-autofocus]') ?? container
    replacement?.focus({ preventScroll: true })
  })
}

function isOnBackdrop({ clientX, clientY, target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom)
}

/** A key press that opened the dialog must not also submit it while the key is held. */
function ignoreRepeatedEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}

/** What gets the focus when each open modal closes. */
const returnTargets = new Map<HTMLDialogElement, Element | null>()

/** Props of a `<dialog>` that is the topmost modal while it is mounted. */
export function useModal({ onCloseRequest, initialFocus, finalFocus }: ModalOptions) {
  const onCloseRequestRef = useRef(onCloseRequest)
  useEffect(() => {
    onCloseRequestRef.current = onCloseRequest
  })
  const ref = useCallback(
    (dialog: HTMLDialogElement) => {
      returnTargets.set(dialog, document.activeElement)
      dialog.showModal()
      const removeFromStack = enterModal(dialog, () => onCloseRequestRef.current())
      if (initialFocus?.current) initialFocus.current.focus()
      else focusFirst(dialog)
      return () => {
        removeFromStack()
        dialog.close()
        const target = finalFocus?.current ?? returnTargets.get(dialog) ?? null
        returnTargets.delete(dialog)
        // A question that outlives the dialog which asked it returns the focus in its place.
        for (const [upper, opener] of returnTargets) if (dialog.contains(opener)) returnTargets.set(upper, target)
        restoreFocus(target)
      }
    },
    [initialFocus, finalFocus],
  )
  const pointerDownWasOutside = useRef(false)
  return {
    ref,
    role: 'dialog',
    tabIndex: -1,
    // modal-stack.ts handles close requests; Safari, which ignores closedby, sends `cancel`.
    closedby: 'none' as const,
    onCancel: (event: { preventDefault: () => void }) => event.preventDefault(),
    onPointerDown: (event: MouseEvent<HTMLElement>) => {
      pointerDownWasOutside.current = isOnBackdrop(event)
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (pointerDownWasOutside.current && isOnBackdrop(event)) onCloseRequest()
    },
    onKeyDown: ignoreRepeatedEnter,
  }
}
