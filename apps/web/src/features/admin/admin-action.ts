import { failureOf } from '../../lib/failure.ts'
import { t } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { askPassword, confirm } from '../../ui/ask.ts'
import { reloadListsSoon } from './admin-queries.ts'

/** All texts are translated by the caller. */
interface Action {
  title: string
  message: string
  confirmLabel: string
  /** Draws the button as one that destroys. */
  danger?: boolean
  /** Toast after success. */
  done: string | (() => string)
  /** Message of the error toast when the server gives none. */
  failed: string
}

const ABOUT_PASSWORD = new Set(['WRONG_PASSWORD', 'PASSWORD_REQUIRED', 'ADMIN_PASSWORD_LOCKED'])

/** What the password dialog shows itself and lets one try again: the password, or the way there. */
export function staysInPasswordDialog(error: unknown): boolean {
  const { kind, code } = failureOf(error)
  return kind !== 'refused' || ABOUT_PASSWORD.has(code ?? '')
}

function succeed(done: Action['done']): void {
  toast.success(typeof done === 'string' ? done : done())
  reloadListsSoon()
}

/**
 * Asks for the admin's password and does it with that; its refusals are told as a toast, and lists reload after a success.
 * Answers whether it was done.
 */
export async function actWithPassword(
  { done, failed, ...question }: Action,
  run: (password: string) => Promise<unknown>,
): Promise<boolean> {
  let refusal: unknown = null
  const answer = await askPassword({
    ...question,
    verify: async (password) => {
      try {
        await run(password)
      } catch (error) {
        if (staysInPasswordDialog(error)) throw error
        refusal = error
      }
    },
  })
  if (answer === null) return false
  if (refusal !== null) {
    toast.failure(refusal, t('Error'), failed)
    return false
  }
  succeed(done)
  return true
}

/** The same for what needs no password: a question, busy while it runs. */
export async function actAfterQuestion(
  { done, failed, ...question }: Action,
  run: () => Promise<unknown>,
): Promise<boolean> {
  const isDone = await confirm({
    ...question,
    run: async () => {
      try {
        await run()
      } catch (error) {
        toast.failure(error, t('Error'), failed)
        throw error
      }
    },
  })
  if (isDone) succeed(done)
  return isDone
}
