import type { Message } from '@community/contract'
import { createStore } from './store.ts'

/** All texts are translated by the caller. */
export interface Question {
  title: string
  message?: string
  /** Defaults to "Confirm". */
  confirmLabel?: string
  cancelLabel?: string
  /** Draws the button as destructive. */
  danger?: boolean
}

export interface ConfirmQuestion extends Question {
  /** Called on Confirm. The dialog is busy until it settles, then closes, or shows the error. */
  run?: () => Promise<unknown>
}

export interface PromptQuestion extends Question {
  label: string
  /** The current value, to be edited; leaving it as it is answers with it. */
  initial?: string
  /** What was typed before, when the question is asked again. */
  draft?: string
  placeholder?: string
  /** Rejects an empty answer with "This field is required". */
  required?: boolean
  /** Rejects a longer answer with "Maximum {n} characters allowed". */
  maxLength?: number
  multiline?: boolean
  /** Returns the error of an answer, or undefined. */
  check?: (answer: string) => Message | undefined
  /** Called with the answer. The dialog is busy until it settles, then closes, or shows the error at the field. */
  run?: (answer: string) => Promise<unknown>
}

export interface PasswordQuestion extends Question {
  /** Checks the password, usually by the action it confirms. The dialog shows the error and lets the user try again. */
  verify?: (password: string) => Promise<unknown>
}

type OpenQuestion =
  | { kind: 'confirm'; id: number; question: ConfirmQuestion; settle: (answer: boolean) => void }
  | { kind: 'prompt'; id: number; question: PromptQuestion; settle: (answer: string | null) => void }
  | { kind: 'password'; id: number; question: PasswordQuestion; settle: (answer: string | null) => void }

/** The open questions, the topmost last. */
export const useOpenQuestions = createStore<readonly OpenQuestion[]>([])
let nextId = 1

const open = (question: OpenQuestion) => useOpenQuestions.setState([...useOpenQuestions.getState(), question], true)
const close = (id: number) =>
  useOpenQuestions.setState(
    useOpenQuestions.getState().filter((question) => question.id !== id),
    true,
  )

function ask<A>(make: (id: number, settle: (answer: A) => void) => OpenQuestion): Promise<A> {
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

/** `if (await confirm({ title, message, danger: true })) ...`. False if the dialog was cancelled. */
export const confirm = (question: ConfirmQuestion): Promise<boolean> =>
  ask<boolean>((id, settle) => ({ kind: 'confirm', id, question, settle }))

/** Asks for a text. Returns it trimmed, or null if the dialog was cancelled. */
export const prompt = (question: PromptQuestion): Promise<string | null> =>
  ask<string | null>((id, settle) => ({ kind: 'prompt', id, question, settle }))

/** Asks for the user's password. Returns it once `verify` succeeds, or null if the dialog was cancelled. */
export const askPassword = (question: PasswordQuestion): Promise<string | null> =>
  ask<string | null>((id, settle) => ({ kind: 'password', id, question, settle }))
