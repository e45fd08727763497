import { failureOf } from '../../lib/failure.ts'
import { t } from '../../lib/i18n.ts'
import { currentUser, isAdmin } from '../../lib/session.ts'
import { askPassword, confirm, type Question } from '../../lib/questions.ts'

/** What a chef's call carries besides: the password of a chef who is an administrator, whom the server asks for it. */
export interface Confirmed {
  password?: string
}
type Run = (confirmed: Confirmed) => Promise<unknown>

/** Asks, and does it on yes, which an administrator says with their password. Answers whether it was done. */
export async function confirmAsChef(question: Question, run: Run): Promise<boolean> {
  if (!isAdmin(currentUser())) return confirm({ ...question, run: () => run({}) })
  return (await askPassword({ ...question, verify: (password) => run({ password }) })) !== null
}

/**
 * Does what a form has asked for already; an administrator gives their password first. False where they left. What is
 * refused for more than the password is thrown, for the form to show.
 */
export async function actAsChef(question: Question, run: Run): Promise<boolean> {
  if (!isAdmin(currentUser())) {
    await run({})
    return true
  }
  let tried: Promise<unknown> = Promise.resolve()
  const answer = await askPassword({
    message: t('Enter your admin password to go on.'),
    ...question,
    verify: async (password) => {
      tried = run({ password })
      try {
        await tried
      } catch (error) {
        if (failureOf(error).invalid) throw error
      }
    },
  })
  if (answer === null) return false
  await tried
  return true
}
