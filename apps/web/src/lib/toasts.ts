import type { Message } from '@community/contract'
import { TOAST_DURATION_MS } from '@community/contract/limits'
import { failureOf, fieldMessage } from './failure.ts'
import { serverText, t } from './i18n.ts'
import { isReload } from './is-reload.ts'
import { tabStore } from './storage.ts'
import { createStore } from './store.ts'

export type ToastType = 'success' | 'error' | 'warning' | 'info'

/** A button in a toast, such as Undo. Pressing it closes the toast. */
export interface ToastAction {
  label: string
  run: () => void
}

export interface ToastRecord {
  id: string
  type: ToastType
  title: string
  message?: string
  /** Shown as a list instead of the message. */
  bullets?: string[]
  /** Milliseconds between its first drawing and its expiry. */
  duration: number
  open: boolean
  /** Milliseconds since the epoch. */
  createdAt: number
  /** A button. A reload removes it. */
  action?: ToastAction
  /** Not shown again after a reload: it was already, or is about fields of a form that is then gone or empty. */
  isDroppedAtReload?: boolean
}

const STORAGE_KEY = 'toasts'
/** Milliseconds. A toast that the page could not show within this time of its creation is dropped: a slow phone takes seconds to load. */
export const TOAST_STALE_MS = 30_000
/** Milliseconds. Time to find and press a toast's button. */
const ACTION_DURATION_MS = 10_000
/** Duration of the exit animation, after which a toast is removed. */
const TOAST_EXIT_MS = 300

/** The current toasts, oldest first. */
export const useToasts = createStore<readonly ToastRecord[]>(restoreToasts())

/**
 * Restores the toasts that were open on the previous page, up to 30 s old: most pages reload after a success that only the toast
 * reports, so errors beside a success are dropped as older. After a navigation this holds for successes only. Other toasts are restored for
 * 5 s, so that nobody who comes back from a sign-in at Google sees an error of before.
 */
function restoreToasts(): ToastRecord[] {
  const stored = tabStore.readJson(STORAGE_KEY)
  tabStore.remove(STORAGE_KEY)
  // Only `setToasts` writes this key.
  const before = Array.isArray(stored) ? (stored as ToastRecord[]) : []
  const hasSuccess = before.some(({ type }) => type === 'success')
  return before.flatMap((record) => {
    if (hasSuccess && record.type === 'error') return []
    const age = Date.now() - record.createdAt
    const staleAge = isReload() || record.type === 'success' ? TOAST_STALE_MS : TOAST_DURATION_MS
    // Negative if the clock was set back.
    if (!(age >= 0 && age < staleAge)) return []
    return [{ ...record, duration: TOAST_DURATION_MS, isDroppedAtReload: true }]
  })
}

function setToasts(next: readonly ToastRecord[]): void {
  tabStore.writeJson(
    STORAGE_KEY,
    next.filter((record) => record.open && !record.isDroppedAtReload).map(({ action: _action, ...record }) => record),
  )
  useToasts.setState(next, true)
}

/** What a toast shows, translated by the caller. */
export interface ToastContent {
  type: ToastType
  title: string
  message?: string | undefined
  bullets?: string[] | undefined
  /** In ms; 5000 by default, 10000 with an action. */
  duration?: number
  action?: ToastAction | undefined
  isDroppedAtReload?: boolean
}

/** A translated toast of an error. `message` replaces the server's; `fallback` stands in where it sent none. */
export interface FailureToast {
  type?: 'error' | 'warning'
  title: string
  message?: string
  fallback?: string
  action?: ToastAction
}

function show({ type, title, message, bullets, action, ...rest }: ToastContent): string {
  const { duration = action ? ACTION_DURATION_MS : TOAST_DURATION_MS, isDroppedAtReload = false } = rest
  const record: ToastRecord = {
    id: crypto.randomUUID?.() ?? String(Math.random()),
    type,
    title,
    duration,
    open: true,
    createdAt: Date.now(),
    isDroppedAtReload,
    ...(message && { message }),
    ...(action && { action }),
    // Two fields may have the same error.
    ...(bullets && { bullets: [...new Set(bullets)] }),
  }
  // The same toast again restarts the first one.
  const records = useToasts.getState()
  const same = records.find((one) => one.open && contentOf(one) === contentOf(record))
  if (same) record.id = same.id
  setToasts(same ? records.map((one) => (one === same ? record : one)) : [...records, record])
  return record.id
}

const contentOf = ({ type, title, message, bullets }: ToastRecord): string =>
  JSON.stringify([type, title, message, bullets])

/** Closes a toast and removes it after its exit animation. */
function dismiss(id: string): void {
  setToasts(useToasts.getState().map((record) => (record.id === id ? { ...record, open: false } : record)))
  setTimeout(() => setToasts(useToasts.getState().filter((record) => record.id !== id)), TOAST_EXIT_MS)
}

/** Errors of fields: one as a message, several as bullets. */
export function fieldErrorsToast(errors: readonly Message[], title: string = t('Validation Error')): ToastContent {
  const bullets = errors.map(serverText)
  return {
    type: 'error',
    title,
    isDroppedAtReload: true,
    ...(bullets.length < 2 ? { message: bullets[0] } : { bullets }),
  }
}

const ofType =
  (type: ToastType) =>
  (title: string, message?: string, options: Pick<ToastContent, 'duration'> = {}): string =>
    show({ type, title, message, ...options })

/** Callers translate titles and messages. Each function returns the id of its toast. Prefer to declare toasts in `useAction`, `useFailureToast` or `useSubmit`. */
export const toast = {
  success: ofType('success'),
  error: ofType('error'),
  warning: ofType('warning'),
  info: ofType('info'),
  show,
  /** Shows an error. If it names several fields, their messages are a list under the title "Validation Error", unless `message` is given. */
  failure(error: unknown, { type = 'error', title, message, fallback, action }: FailureToast): string {
    if (message !== undefined) return show({ type, title, message, action })
    const failure = failureOf(error)
    if (failure.code === 'VALIDATION' && failure.errors.length > 1)
      return show(fieldErrorsToast(failure.errors.map(fieldMessage)))
    const isDroppedAtReload = failure.code === 'VALIDATION'
    return show({ type, title, message: failure.message ? serverText(failure) : fallback, action, isDroppedAtReload })
  },
  dismiss,
  /** Closes all. */
  clear(): void {
    for (const record of useToasts.getState()) dismiss(record.id)
  },
}
