import { askPassword, confirm, prompt, type PromptQuestion, type Question } from './questions.ts'

/** Answers to an action's questions; '' where none was asked. */
export interface Answers {
  text: string
  password: string
}

/** The questions of an action. The last one runs it and shows its error; a prompt does so only with `showsError`. */
interface Questions {
  prompt?: (PromptQuestion & { showsError?: boolean }) | undefined
  confirm?: Question | undefined
  /** Depends on the prompt's answer. */
  password: (text: string) => Question | undefined
}

/**
 * Asks the questions in order, then attempts the action. Cancelling one stops without an attempt, or returns to the prompt with
 * its answer. Rejects with the last error, unless a dialog showed it and the user then cancelled.
 */
export async function runAfterQuestions(
  questions: Questions,
  attempt: (answers: Answers) => Promise<void>,
  keepsPasswordOpen: (error: unknown) => boolean,
): Promise<void> {
  const textQuestion = questions.prompt
  if (!textQuestion) return void (await confirmAndAttempt(''))
  const submitText = async (text: string) =>
    text === '' || text === textQuestion.initial || (await confirmAndAttempt(text))
  if (textQuestion.showsError) return void (await prompt({ ...textQuestion, run: submitText }))
  // Back and Forward close all dialogs. Unlike Cancel, that does not return from the password to the prompt.
  const left = new AbortController()
  window.addEventListener('popstate', () => left.abort(), { capture: true, signal: left.signal })
  try {
    let text = await prompt(textQuestion)
    while (text !== null && !(await submitText(text)) && !left.signal.aborted)
      text = await prompt({ ...textQuestion, draft: text })
  } finally {
    left.abort()
  }

  /** Returns false if a question was cancelled. */
  async function confirmAndAttempt(answer: string): Promise<boolean> {
    const passwordQuestion = questions.password(answer)
    let unshownError: unknown = null
    const run = () => attempt({ text: answer, password: '' })
    if (questions.confirm && !(await confirm({ ...questions.confirm, ...(!passwordQuestion && { run }) }))) return false
    if (!passwordQuestion) {
      if (!questions.confirm) await run()
      return true
    }
    const verify = async (password: string) => {
      unshownError = null
      try {
        await attempt({ text: answer, password })
      } catch (error) {
        if (keepsPasswordOpen(error)) throw error
        unshownError = error
      }
    }
    const password = await askPassword({ ...passwordQuestion, verify })
    if (unshownError !== null) throw unshownError
    return password !== null
  }
}
