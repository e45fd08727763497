import type { Message } from '@community/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Answers, runAfterQuestions } from './action-questions.ts'
import { type ClientFailure, failureOf, isSessionError, isTransient } from './failure.ts'
import { t } from './i18n.ts'
import { invalidate } from './invalidate.ts'
import { isPasswordError, isRetryable } from './is-retryable.ts'
import type { Procedure } from './procedure.ts'
import type { PromptQuestion, Question } from './questions.ts'
import { reloadPage } from './reload-page.ts'
import { askToSignInAgain } from './sign-in-intent.ts'
import { useSingleFlight } from './single-flight.ts'
import { showSuccess, type ShowToast, type SuccessToast } from './success-toast.ts'
import { type FailureToast, toast } from './toasts.ts'

/** A value, or a function of the target. */
type ValueOrFunction<Value, Target> = Value | ((target: Target) => Value)

/** What happens before and after the request. The caller passes translated texts. */
export interface Declaration<Target, Output> {
  /** Asked first. Its answer is `answers.text`. With `showsError` it stays open while the action runs, and shows its error at the field. */
  prompt?: ValueOrFunction<(PromptQuestion & { showsError?: boolean }) | undefined, Target>
  /** Asked second. */
  confirm?: ValueOrFunction<Question | undefined, Target>
  /** Asks for the caller's password last, again after an error that a retry may fix, or that nothing else shows. The password is `answers.password`. */
  password?: Question | ((target: Target, text: string) => Question | undefined)
  /** The toast after success: its title, or more. */
  success?: SuccessToast | ((output: Output, target: Target, answers: Answers) => SuccessToast | undefined)
  /**
   * The toast after a failure, also when a field shows the error. A string is the message if the server sent none, under the title "Error".
   * With a string or an object `failure` of the result stays undefined unless the error is transient. A function returns the toast or null.
   */
  failure?: string | FailureToast | ((failure: ClientFailure, target: Target, error: unknown) => FailureToast | null)
  /** Shows field errors on a form and focuses the first. Returns whether there were any. */
  fields?: (error: unknown, target: Target) => boolean
  /** Path prefixes of stale queries: 'teams', 'users.list'. After success the action is pending until they are fetched. Also after an error that a retry cannot fix: the page may be outdated. */
  invalidates?: readonly string[]
  /** Invalidates more after a delay. */
  later?: { ms: number; invalidates: readonly string[] }
  /** Reloads the page after success. */
  reloads?: boolean
  /** Shows success and failure in place of the default toasts. */
  showToast?: ShowToast
  /** Actions of one scope are queued; without a scope, a second press is ignored. */
  scope?: string
  /** Called before the queries are refreshed; `run` resolves after the refresh. */
  onSuccess?: (output: Output, target: Target) => void
  onFailure?: (error: unknown, target: Target) => void
}

export type { Answers }

export interface Action<Target, Output> {
  /** Asks, runs and reports. Resolves to the output; undefined after a failure, a cancelled question or an ignored second press. */
  run: (target: Target) => Promise<Output | undefined>
  isPending: boolean
  isSuccess: boolean
  /** The target of the current or last request. */
  target: Target | undefined
  error: Error | null
  /** The message to show next to the form; undefined if a field, the password question or only a toast shows it. */
  failure: Message | undefined
  /** Clears the last error; does nothing while a request runs. */
  reset: () => void
}

interface Variables<Target> {
  target: Target
  answers: Answers
}

function resolveOption<Value, Args extends unknown[]>(
  declared: Value | ((...args: Args) => Value),
  ...args: Args
): Value {
  // No declared value is a function itself.
  return typeof declared === 'function' ? (declared as (...args: Args) => Value)(...args) : declared
}

function toastFor(declared: string | FailureToast | undefined): FailureToast | null {
  if (declared === undefined) return null
  return typeof declared === 'string' ? { title: t('Error'), fallback: declared } : declared
}

/**
 * The one way to write: `const leave = useAction(trpcClient.teams.leave, { confirm, success, reloads: true })`, then
 * `leave.run(input)`. Ignores calls while one runs, unless `scope` queues them. `input` maps what `run` is given to the request's input.
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
  const queryClient = useQueryClient()
  const [inlineError, setInlineError] = useState<Message>()
  const failureToastId = useRef<string>(undefined)

  /** The toast of a failure; null for none. */
  const failureToastOf = (error: unknown, { target, answers }: Variables<Target>): FailureToast | null => {
    // The password question shows it.
    if (answers.password !== '' && isPasswordError(error)) return null
    return typeof failure === 'function' ? failure(failureOf(error), target, error) : toastFor(failure)
  }
  /** Shows the error at the form's fields, or inline if nothing else shows it. */
  const showInForm = (error: unknown, { target, answers }: Variables<Target>, hasToast: boolean) => {
    const reason = failureOf(error)
    const isAtField = fields?.(error, target) ?? false
    const isInQuestion = answers.password !== '' && isRetryable(error)
    const isOnlyInToast = typeof failure !== 'function' && hasToast && !isTransient(reason)
    const isShown = isAtField || isInQuestion || isOnlyInToast
    setInlineError(isShown || reason.message === '' ? undefined : reason)
  }

  const mutation = useMutation<Output, Error, Variables<Target>>({
    // Without `input` the overload above makes the target the input.
    mutationFn: ({ target, answers }) =>
      procedure.mutate(input ? input(target, answers) : (target as unknown as Input)),
    onSuccess: (output, { target, answers }) => {
      const texts = typeof success === 'function' ? success(output, target, answers) : success
      if (texts) showSuccess(texts, showToast)
      onSuccess?.(output, target)
    },
    onError: (error, variables) => {
      const texts = failureToastOf(error, variables)
      showInForm(error, variables, texts !== null)
      if (texts && showToast) showToast('error', texts.title, texts.message)
      else if (texts) failureToastId.current = toast.failure(error, texts)
      if (isSessionError(failureOf(error))) askToSignInAgain()
      onFailure?.(error, variables.target)
    },
    onSettled: (_output, error) => {
      // Any other error may mean that the page shows outdated data.
      if (error && isRetryable(error)) return undefined
      if (reloads && !error) void reloadPage().then(() => queryClient.invalidateQueries())
      if (later) setTimeout(() => void invalidate(queryClient, later.invalidates), later.ms)
      const fetched = invalidate(queryClient, invalidates ?? [])
      return error ? undefined : fetched
    },
    ...(scope !== undefined && { scope: { id: scope } }),
  })

  const act = async (target: Target): Promise<Output | undefined> => {
    setInlineError(undefined)
    let output: Output | undefined
    const attempt = async (answers: Answers) => {
      if (failureToastId.current) toast.dismiss(failureToastId.current)
      try {
        output = await mutation.mutateAsync({ target, answers })
      } finally {
        // The mutation cache keeps its variables for a while.
        answers.password = ''
      }
    }
    // The password dialog stays open where a retry may help, or where nothing else shows the error.
    const keepsPasswordOpen = (error: unknown) => failure === undefined || isRetryable(error)
    const questions = {
      prompt: resolveOption(declaration.prompt, target),
      confirm: resolveOption(declaration.confirm, target),
      password: (text: string) => resolveOption(declaration.password, target, text),
    }
    await runAfterQuestions(questions, attempt, keepsPasswordOpen).catch((error: unknown) => {
      // The form shows the field errors already. Showing them again moves the focus back to the field: the closing dialog took it.
      if (declaration.password) fields?.(error, target)
    })
    return output
  }
  const actOnce = useSingleFlight(act)

  const reset = () => {
    if (mutation.isPending) return
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
