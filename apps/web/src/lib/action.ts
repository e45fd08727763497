import type { Message } from '@community/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answers, runAfterQuestions } from './action-questions.ts'
import { type ClientFailure, failureOf, isTransient } from './failure.ts'
import { t } from './i18n.ts'
import {
  type FailureToast,
  isPasswordError,
  type DelayedInvalidation,
  isRetryable,
  type ShowToast,
  type SuccessToast,
} from './query-client.ts'
import type { PromptQuestion, Question } from './questions.ts'
import { useSingleFlight } from './single-flight.ts'

/** `trpcClient.teams.leave`, or several requests as one: `{ mutate: async (input) => ... }`. */
export interface Procedure<Input, Output> {
  mutate: (input: Input) => Promise<Output>
}

/** A value, or a function of the target. */
type Of<Value, Target> = Value | ((target: Target) => Value)

/** What happens before and after the request. All texts are translated. */
export interface Declaration<Target, Output> {
  /** Asked first. Its answer is `answers.text`. With `staysOpen` it closes only after success, and shows a refusal at its field. */
  prompt?: Of<(PromptQuestion & { staysOpen?: boolean }) | undefined, Target>
  /** Asked second. */
  confirm?: Of<Question | undefined, Target>
  /** Asks for the caller's password last, again while it is wrong. The password is `answers.password`. */
  password?: Question | ((target: Target, text: string) => Question | undefined)
  /** The toast after success: its title, or more. */
  success?: SuccessToast | ((output: Output, target: Target, answers: Answers) => SuccessToast | undefined)
  /**
   * The toast after a failure. A string is the fallback for a server without a message, titled "Error". A function returns
   * the whole toast, or null; the message then also appears inline. Without `failure` it appears inline only.
   */
  failure?: string | FailureToast | ((failure: ClientFailure, target: Target, error: unknown) => FailureToast | null)
  /** Shows field errors on a form. Returns whether there were any; then a declared toast is left out. */
  fields?: (error: unknown, target: Target) => boolean
  /** Path prefixes of stale queries: 'teams', 'users.list'. The action is pending until they are fetched. Refusals count too. */
  invalidates?: readonly string[]
  /** Invalidates more after a delay. */
  later?: DelayedInvalidation
  /** Reloads the page after success. */
  reloads?: boolean
  /** Shows success and failure in place of the default toasts. */
  showToast?: ShowToast
  /** Actions of one scope are queued; without a scope, a second press is ignored. */
  scope?: string
  onSuccess?: (output: Output, target: Target) => void
  onFailure?: (error: unknown, target: Target) => void
}

export type { Answers }

export interface Action<Target, Output> {
  /** Asks, runs and reports. Resolves to the output; undefined after a failure or a cancelled question. */
  run: (target: Target) => Promise<Output | undefined>
  isPending: boolean
  isSuccess: boolean
  /** The target of the current or last run. */
  target: Target | undefined
  error: Error | null
  /** The last failure to show inline; undefined where a field or a toast shows it. */
  failure: Message | undefined
  /** Clears the last error. */
  reset: () => void
}

interface Variables<Target> {
  target: Target
  answers: Answers
}

function valueOf<Value, Args extends unknown[]>(declared: Value | ((...args: Args) => Value), ...args: Args): Value {
  // No declared value is a function itself.
  return typeof declared === 'function' ? (declared as (...args: Args) => Value)(...args) : declared
}

function toastFor(declared: string | FailureToast | undefined, isAtField: boolean): FailureToast | null {
  if (isAtField || declared === undefined) return null
  return typeof declared === 'string' ? { title: t('Error'), fallback: declared } : declared
}

/**
 * The one way to write: `const leave = useAction(trpcClient.teams.leave, { confirm, success, reloads: true })`, then
 * `leave.run(input)`. Ignores presses while it runs. `input` maps what `run` is given to the request's input.
 */
export function useAction<Input, Output, Target>(
  procedure: Procedure<Input, Output>,
  declaration: Declaration<Target, Output> & { input: (target: Target, answers: Answers) => NoInfer<Input> },
): Action<Target, Output>
export function useAction<Input, Output>(
  procedure: Procedure<Input, Output>,
  declaration: Declaration<Input, Output>,
): Action<Input, Output>
export function useAction<Input, Output, Target>(
  procedure: Procedure<Input, Output>,
  declaration: Declaration<Target, Output> & { input?: (target: Target, answers: Answers) => Input },
): Action<Target, Output> {
  const { input, success, failure, fields, invalidates, later, reloads, showToast, scope, onSuccess, onFailure } =
    declaration
  const [inlineError, setInlineError] = useState<Message>()

  /** Returns the toast of a failure; sets the inline error where neither a field nor a toast shows it. */
  const failureToastOf = (error: unknown, target: Target): FailureToast | null => {
    const reason = failureOf(error)
    const isAtField = fields?.(error, target) ?? false
    const words = isPasswordError(error)
      ? null
      : typeof failure === 'function'
        ? failure(reason, target, error)
        : toastFor(failure, isAtField)
    const isShown = isAtField || (typeof failure !== 'function' && words !== null && !isTransient(reason))
    setInlineError(isShown || reason.message === '' ? undefined : reason)
    return words
  }

  const mutation = useMutation<Output, Error, Variables<Target>>({
    // Without `input` the overload above makes the target the input.
    mutationFn: ({ target, answers }) =>
      procedure.mutate(input ? input(target, answers) : (target as unknown as Input)),
    meta: {
      // The cache's callbacks are untyped; these are this mutation's own values.
      success: (output, variables) => {
        const { target, answers } = variables as Variables<Target>
        return typeof success === 'function' ? success(output as Output, target, answers) : success
      },
      failure: (error, variables) => failureToastOf(error, (variables as Variables<Target>).target),
      invalidates,
      later,
      reloads,
      showToast,
    },
    onSuccess: (output, { target }) => onSuccess?.(output, target),
    onError: (error, { target }) => onFailure?.(error, target),
    ...(scope !== undefined && { scope: { id: scope } }),
  })

  const act = async (target: Target): Promise<Output | undefined> => {
    setInlineError(undefined)
    let output: Output | undefined
    const attempt = async (answers: Answers) => {
      output = await mutation.mutateAsync({ target, answers })
    }
    // The password dialog stays open where a retry may help, or where nothing else shows the error.
    const staysOpen = (error: unknown) => failure === undefined || isRetryable(error)
    const questions = {
      prompt: valueOf(declaration.prompt, target),
      confirm: valueOf(declaration.confirm, target),
      password: (text: string) => valueOf(declaration.password, target, text),
    }
    await runAfterQuestions(questions, attempt, staysOpen).catch((error: unknown) => {
      // Already shown. Closing the password dialog moved the focus: the field takes it back.
      if (declaration.password) fields?.(error, target)
    })
    return output
  }
  const actOnce = useSingleFlight(act)

  const reset = () => {
    setInlineError(undefined)
    mutation.reset()
  }
  const { isPending, isSuccess, error } = mutation
  return {
    run: scope === undefined ? actOnce : act,
    isPending,
    isSuccess,
    target: mutation.variables?.target,
    error,
    failure: inlineError,
    reset,
  }
}
