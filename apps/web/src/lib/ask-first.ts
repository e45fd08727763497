import { askPassword, confirm, prompt, type PromptQuestion, type Question } from './questions.ts'

/** What an action's questions were answered with; '' where none was asked. */
export interface Answers {
  text: string
  password: string
}

/** The questions of an action. The last one does it: it is busy meanwhile, and a failure may leave it there for another try. */
export interface Questions {
  prompt?: (PromptQuestion & { stays?: boolean }) | undefined
  confirm?: Question | undefined
  /** Of the text that was given. */
  password: (text: string) => Question | undefined
}

/**
 * Asks the questions there are and then attempts the action. Ends without an attempt where one is left; throws why the
 * last attempt failed unless the question that made it was left afterwards.
 */
export async function askFirst(
  { prompt: text, confirm: yes, password: passwordFor }: Questions,
  attempt: (answers: Answers) => Promise<void>,
  /** Whether the password's question stays for a failure; any other ends it. */
  stays: (error: unknown) => boolean,
): Promise<void> {
  if (!text) return goOn('')
  const change = async (answer: string) => {
    // What stood there already is no change.
    if (answer !== '' && answer !== text.initial) await goOn(answer)
  }
  if (text.stays) return void (await prompt({ ...text, run: change }))
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
        if (stays(error)) throw error
        refusal = error
      }
    }
    await askPassword({ ...password, verify })
    if (refusal !== null) throw refusal
  }
}
