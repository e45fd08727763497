import { failureOf, isTransient } from '../../lib/failure.ts'
import { t } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { askPassword, confirm } from '../../lib/questions.ts'
import { reloadListsSoon } from './admin-queries.ts'
import { titleOf } from './toast-problems.ts'

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

/** Tells why something was not done. A refusal may mean that lists show what has changed or gone since: they reload, too. */
export function tellFailure(error: unknown, failed: string): void {
  const failure = failureOf(error)
  toast.failure(error, titleOf(failure.message) ?? t('Error'), failed)
  if (!isTransient(failure)) reloadListsSoon()
}

const ABOUT_PASSWORD = new Set(['WRONG_PASSWORD', 'PASSWORD_REQUIRED', 'ADMIN_PASSWORD_LOCKED'])

/**
 * Throws what may be tried again, for the password dialog to show and to stay with: what is wrong with the password, the
 * way there, or a house in trouble. It is told as a toast too, where it is about more than the password.
 */
export function throwToStay(error: unknown, failed: string): void {
  const failure = failureOf(error)
  const isAboutPassword = ABOUT_PASSWORD.has(failure.code ?? '')
  if (!isAboutPassword && !isTransient(failure)) return
  if (!isAboutPassword) tellFailure(error, failed)
  throw error
}

/** Tries what a password confirms. Answers the refusal that ends it, told as a toast; null where it was done. */
export async function tryConfirmed(run: () => Promise<unknown>, failed: string): Promise<unknown> {
  try {
    await run()
    return null
  } catch (error) {
    throwToStay(error, failed)
    tellFailure(error, failed)
    return error
  }
}

function succeed(done: Action['done']): void {
  toast.success(typeof done === 'string' ? done : done())
  reloadListsSoon()
}

/**
 * Asks for the admin's password and does it with that; its refusals are told as a toast, and lists reload afterwards.
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
      refusal = await tryConfirmed(() => run(password), failed)
    },
  })
  if (answer === null || refusal !== null) return false
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
        tellFailure(error, failed)
        throw error
      }
    },
  })
  if (isDone) succeed(done)
  return isDone
}
