import type { Message } from '@community/contract'
import { TOAST_DURATION_MS } from '@community/contract/limits'
import { failureOf, fieldMessage } from './failure.ts'
import { serverText, t } from './i18n.ts'
import { tabStore } from './storage.ts'
import { createStore } from './store.ts'

export type ToastType = 'success' | 'error' | 'warning' | 'info'

export interface ToastRecord {
  id: string
  type: ToastType
  title: string
  message?: string
  /** Shown as a list instead of the message. */
  bullets?: string[]
  /** Milliseconds between `madeAt` and its expiry. */
  duration: number
  open: boolean
  /** Milliseconds since the epoch. */
  madeAt: number
  /** Restored after a reload; the next reload drops it. */
  isCarried?: boolean
}

const STORAGE_KEY = 'toasts'
/** Duration of the exit animation, after which a toast is removed. */
export const TOAST_EXIT_MS = 300

/** The current toasts, oldest first. */
export const useToasts = createStore<readonly ToastRecord[]>(restoreToasts())

/** The toasts that were open before a reload, until 5 s after their creation. */
function restoreToasts(): ToastRecord[] {
  const stored = tabStore.readJson(STORAGE_KEY)
  tabStore.remove(STORAGE_KEY)
  // Only `setToasts` writes this key.
  const before = Array.isArray(stored) ? (stored as ToastRecord[]) : []
  return before.flatMap((record) => {
    const age = Date.now() - record.madeAt
    // Negative if the clock was set back.
    if (!(age >= 0 && age < TOAST_DURATION_MS)) return []
    return [{ ...record, duration: TOAST_DURATION_MS, isCarried: true }]
  })
}

function setToasts(next: readonly ToastRecord[]): void {
  tabStore.writeJson(
    STORAGE_KEY,
    next.filter((record) => record.open && !record.isCarried),
  )
  useToasts.setState(next, true)
}

type Extra = { message?: string | undefined; bullets?: string[]; duration?: number }

function add(type: ToastType, title: string, { message, bullets, duration = TOAST_DURATION_MS }: Extra): string {
  const record: ToastRecord = {
    id: crypto.randomUUID?.() ?? String(Math.random()),
    type,
    title,
    duration,
    open: true,
    madeAt: Date.now(),
    ...(message && { message }),
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

interface Options {
  /** In ms; 5000 by default. */
  duration?: number
}

const ofType =
  (type: ToastType) =>
  (title: string, message?: string, options: Options = {}): string =>
    add(type, title, { message, ...options })

/** Callers translate titles and messages. Each function returns the id of its toast. */
export const toast = {
  success: ofType('success'),
  error: ofType('error'),
  warning: ofType('warning'),
  info: ofType('info'),
  /** Shows errors of fields as bullets titled 'Validation Error'. */
  validation(errors: readonly Message[]): string {
    const bullets = errors.map(serverText)
    return add('error', t('Validation Error'), bullets.length < 2 ? { message: bullets[0] } : { bullets })
  },
  /** Shows the server's message, else the fallback, under the title. Several field errors go to `validation`. */
  failure(error: unknown, title: string, fallback?: string): string {
    const failure = failureOf(error)
    if (failure.code === 'VALIDATION' && failure.errors.length > 1)
      return toast.validation(failure.errors.map(fieldMessage))
    return add('error', title, { message: failure.message ? serverText(failure) : fallback })
  },
  dismiss,
  /** Closes all. */
  clear(): void {
    for (const record of useToasts.getState()) dismiss(record.id)
  },
}
