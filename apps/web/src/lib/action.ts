import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answers, askFirst } from './ask-first.ts'
import { type ClientFailure, failureOf, isTransient } from './failure.ts'
import { t } from './i18n.ts'
import {
  type FailureWords,
  isAboutPassword,
  type LaterRefresh,
  mayTryAgain,
  type Say,
  type SuccessWords,
} from './query-client.ts'
import type { PromptQuestion, Question } from './questions.ts'
import { useSingleFlight } from './single-flight.ts'

/** `trpcClient.teams.leave`, or several calls as one: `{ mutate: async (input) => ... }`. */
export interface Procedure<Input, Output> {
  mutate: (input: Input) => Promise<Output>
}

/** The same for every target, or made of it. */
type Of<Value, Target> = Value | ((target: Target) => Value)

/** What happens before and after a call, declared. All texts are translated. */
export interface Declaration<Target, Output> {
  /** Asked first; its answer is `answers.text`. With `stays` it stays open until all is done, for a refusal to stand at its field. */
  prompt?: Of<(PromptQuestion & { stays?: boolean }) | undefined, Target>
  /** Then a yes. */
  confirm?: Of<Question | undefined, Target>
  /** Then the caller's password, asked again while it is wrong. It is `answers.password`. */
  password?: Question | ((target: Target, text: string) => Question | undefined)
  /** The toast after success: its title, or more. */
  success?: SuccessWords | ((output: Output, target: Target, answers: Answers) => SuccessWords | undefined)
  /**
   * The toast after a failure: under "Error", or a title, what it says where the server says nothing. A function gives all
   * of it, or null for none; it has words for fields and for the place too. Without `failure` there is no toast.
   */
  failure?: string | FailureWords | ((failure: ClientFailure, target: Target, error: unknown) => FailureWords | null)
  /** Puts a refusal on the fields it is about. Answers whether there were any: then no toast repeats it. */
  fields?: (error: unknown, target: Target) => boolean
  /** Queries that are stale afterwards and after a refusal, by the start of their path: 'teams', 'users.list'. The action lasts until they are fetched. */
  invalidates?: readonly string[]
  /** Others, a while later. */
  later?: LaterRefresh
  /** Reloads the page after success. */
  reloads?: boolean
  /** Says both in a place of its own; toasts among the others unless told. */
  say?: Say
  /** Actions of one scope run one after the other, and none is left out. */
  scope?: string
  onSuccess?: (output: Output, target: Target) => void
  onFailure?: (error: unknown, target: Target) => void
}

export type { Answers }

export interface Action<Target, Output> {
  /** Asks, does it and says how it went. Answers what the call answered; undefined where it was left or failed. */
  run: (target: Target) => Promise<Output | undefined>
  isPending: boolean
  isSuccess: boolean
  /** What it is done to, or was last. */
  target: Target | undefined
  error: Error | null
  /** The last failure's words to show in place, in the server's English; undefined where a field or a toast has them. */
  failure: string | undefined
  /** Forgets the last failure. */
  reset: () => void
}

interface Press<Target> {
  target: Target
  answers: Answers
}

function valueOf<Value, Args extends unknown[]>(declared: Value | ((...args: Args) => Value), ...args: Args): Value {
  // No declared value is itself a function.
  return typeof declared === 'function' ? (declared as (...args: Args) => Value)(...args) : declared
}

function failureWords(declared: string | FailureWords | undefined, isAtField: boolean): FailureWords | null {
  if (isAtField || declared === undefined) return null
  return typeof declared === 'string' ? { title: t('Error'), fallback: declared } : declared
}

/**
 * The one way to act: `const leave = useAction(trpcClient.teams.leave, { confirm, success, reloads: true })`, then
 * `leave.run(input)`. A second press while it runs does nothing. `input` makes the call's input of what `run` is given.
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
  const { input, success, failure, fields, invalidates, later, reloads, say, scope, onSuccess, onFailure } = declaration
  const [inPlace, setInPlace] = useState<string>()

  /** The words of a failure's toast; what no toast or field says is shown in place. */
  const sayFailure = (error: unknown, target: Target): FailureWords | null => {
    const reason = failureOf(error)
    const isAtField = fields?.(error, target) ?? false
    const words = isAboutPassword(error)
      ? null
      : typeof failure === 'function'
        ? failure(reason, target, error)
        : failureWords(failure, isAtField)
    const isSaid = isAtField || (typeof failure !== 'function' && words !== null && !isTransient(reason))
    setInPlace(isSaid ? undefined : reason.message)
    return words
  }

  const mutation = useMutation<Output, Error, Press<Target>>({
    // Without `input` the overload above makes the target the input.
    mutationFn: ({ target, answers }) =>
      procedure.mutate(input ? input(target, answers) : (target as unknown as Input)),
    meta: {
      // What a mutation is given and answers are this one's own.
      success: (output, press) => {
        const { target, answers } = press as Press<Target>
        return typeof success === 'function' ? success(output as Output, target, answers) : success
      },
      failure: (error, press) => sayFailure(error, (press as Press<Target>).target),
      invalidates,
      later,
      reloads,
      say,
    },
    onSuccess: (output, { target }) => onSuccess?.(output, target),
    onError: (error, { target }) => onFailure?.(error, target),
    ...(scope !== undefined && { scope: { id: scope } }),
  })

  const act = async (target: Target): Promise<Output | undefined> => {
    setInPlace(undefined)
    let output: Output | undefined
    const attempt = async (answers: Answers) => {
      output = await mutation.mutateAsync({ target, answers })
    }
    // A question stays where another try may help, or where nothing else says what is wrong.
    const stays = (error: unknown) => failure === undefined || mayTryAgain(error)
    const questions = {
      prompt: valueOf(declaration.prompt, target),
      confirm: valueOf(declaration.confirm, target),
      password: (text: string) => valueOf(declaration.password, target, text),
    }
    await askFirst(questions, attempt, stays).catch((error: unknown) => {
      // Said by now. The question that closed has given the focus back: the field takes it once more.
      if (declaration.password) fields?.(error, target)
    })
    return output
  }
  const actOnce = useSingleFlight(act)

  const reset = () => {
    setInPlace(undefined)
    mutation.reset()
  }
  const { isPending, isSuccess, variables, error } = mutation
  return {
    run: scope === undefined ? actOnce : act,
    isPending,
    isSuccess,
    target: variables?.target,
    error,
    failure: inPlace,
    reset,
  }
}
