import type { FailureToast, ToastAction } from './toasts.ts'

/** A translated toast: its title, or more. */
export type SuccessToast =
  | string
  | { title: string; message?: string; action?: ToastAction; warning?: { title: string; message?: string } }

export type ShowToast = (type: 'success' | 'error', title: string, message?: string) => void

export interface DelayedInvalidation {
  ms: number
  invalidates: readonly string[]
}

/** Effects of a mutation, written by `useAction` and run by the mutation cache. */
export interface DeclaredMeta {
  success?: (output: unknown, variables: unknown) => SuccessToast | undefined
  /** Null: shown elsewhere. */
  failure?: (error: unknown, variables: unknown) => FailureToast | null
  /** Path prefixes of stale queries; the mutation is pending until they are fetched. */
  invalidates?: readonly string[] | undefined
  /** Invalidates more after a delay. */
  later?: DelayedInvalidation | undefined
  reloads?: boolean | undefined
  /** Shows success and failure in place of the default toasts. */
  showToast?: ShowToast | undefined
  [key: string]: unknown
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: DeclaredMeta
  }
}
