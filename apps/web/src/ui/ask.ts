import { createStore } from '../lib/store.ts'

/** What all questions have. */
export interface Question {
  title: string
  message?: string
  /** The button that does it; "Confirm" unless told. */
  confirmLabel?: string
  cancelLabel?: string
  /** Draws the button as one that destroys. */
  danger?: boolean
}

export interface ConfirmQuestion extends Question {
  /** What to do on yes. The dialog is busy meanwhile, closes after a success, and stays with the error's words after a failure. */
  run?: () => Promise<unknown>
}

export interface PromptQuestion extends Question {
  label: string
  initial?: string
  placeholder?: string
  /** An empty answer is refused with "This field is required". */
  required?: boolean
  /** A longer answer is refused with "Maximum {n} characters allowed". */
  maxLength?: number
  multiline?: boolean
  /** What to do with the answer. The dialog is busy meanwhile, closes after a success, and stays with the error's words at the field after a failure. */
  run?: (answer: string) => Promise<unknown>
}

export interface PasswordQuestion extends Question {
  /** Tries the password, usually the very action it confirms. While it runs the dialog says so; what it throws is shown, and one may try again. */
  verify?: (password: string) => Promise<unknown>
}

/** All texts are translated by the caller. */
export type Asked =
  | { kind: 'confirm'; id: number; question: ConfirmQuestion; settle: (answer: boolean) => void }
  | { kind: 'prompt'; id: number; question: PromptQuestion; settle: (answer: string | null) => void }
  | { kind: 'password'; id: number; question: PasswordQuestion; settle: (answer: string | null) => void }

/** The questions that wait for an answer, the topmost last. */
export const useAsked = createStore<readonly Asked[]>([])
let nextId = 1

const open = (one: Asked) => useAsked.setState([...useAsked.getState(), one], true)
const close = (id: number) =>
  useAsked.setState(
    useAsked.getState().filter((one) => one.id !== id),
    true,
  )

function ask<A>(make: (id: number, settle: (answer: A) => void) => Asked): Promise<A> {
  const id = nextId++
  return new Promise((resolve) => {
    open(
      make(id, (answer) => {
        close(id)
        resolve(answer)
      }),
    )
  })
}

/** `if (await confirm({ title, message, danger: true })) ...`: false when it was left. */
export const confirm = (question: ConfirmQuestion): Promise<boolean> =>
  ask<boolean>((id, settle) => ({ kind: 'confirm', id, question, settle }))

/** Asks for a text; null when it was left. The answer is trimmed. */
export const prompt = (question: PromptQuestion): Promise<string | null> =>
  ask<string | null>((id, settle) => ({ kind: 'prompt', id, question, settle }))

/** Asks for the caller's password and answers it once `verify` accepted it; null when it was left. */
export const askPassword = (question: PasswordQuestion): Promise<string | null> =>
  ask<string | null>((id, settle) => ({ kind: 'password', id, question, settle }))
