import { askPassword, confirm, prompt, type PromptQuestion, type Question } from './questions.ts'

/** Answers to an action's questions; '' where none was asked. */
export interface Answers {
  text: string
  password: string
}

/** The questions of an action. The last one runs it, is busy meanwhile and may stay open after a failure. */
export interface Questions {
  prompt?: (PromptQuestion & { staysOpen?: boolean }) | undefined
  confirm?: Question | undefined
  /** Made of the prompt's answer. */
  password: (text: string) => Question | undefined
}

/**
 * Asks the questions in order, then attempts the action; cancelling one ends it without an attempt. Throws the error of
 * the last attempt, except where its question showed the error and was cancelled.
 */
export async function runAfterQuestions(
  { prompt: text, confirm: yes, password: passwordFor }: Questions,
  attempt: (answers: Answers) => Promise<void>,
  /** Whether the password dialog stays open after this error. */
  staysOpen: (error: unknown) => boolean,
): Promise<void> {
  if (!text) return goOn('')
  const change = async (answer: string) => {
    // An unchanged text is ignored.
    if (answer !== '' && answer !== text.initial) await goOn(answer)
  }
  if (text.staysOpen) return void (await prompt({ ...text, run: change }))
  const answer = await prompt(text)
  if (answer !== null) await change(answer)

  async function goOn(given: string): Promise<void> {
    const password = passwordFor(given)
    let refusal: unknown = null
    const run = () => attempt({ text: given, password: '' })
    if (yes && !(await confirm({ ...yes, ...(!password && { run }) }))) return
    if (!password) return yes ? undefined : run()
    const verify = async (secret: string) => {
      refusal = null
      try {
        await attempt({ text: given, password: secret })
      } catch (error) {
        if (staysOpen(error)) throw error
        refusal = error
      }
    }
    await askPassword({ ...password, verify })
    if (refusal !== null) throw refusal
  }
}
