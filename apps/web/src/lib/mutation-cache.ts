import { MutationCache } from '@tanstack/react-query'
import { failureOf, isSessionError } from './failure.ts'
import { invalidate } from './invalidate.ts'
import { isRetryable } from './is-retryable.ts'
import type { ShowToast, SuccessToast } from './mutation-meta.ts'
import { reloadPage } from './reload-page.ts'
import { askToSignInAgain } from './sign-in-intent.ts'
import { toast } from './toasts.ts'

/** Time to find and press a toast's button. */
const ACTION_DURATION_MS = 10_000

const showPlainToast: ShowToast = (type, title, message) => void toast[type](title, message)

function showSuccess(texts: SuccessToast, showToast: ShowToast = showPlainToast): void {
  if (typeof texts === 'string') return showToast('success', texts)
  const { title, message, action } = texts
  if (action) toast.show({ type: 'success', title, message, action, duration: ACTION_DURATION_MS })
  else showToast('success', title, message)
  if (texts.warning) toast.warning(texts.warning.title, texts.warning.message)
}

/** Runs the declared effects of each action: toasts, invalidation, reload, sign-in after an ended session. */
export const mutationCache: MutationCache = new MutationCache({
  onSuccess: (output, variables, _onMutate, { meta }) => {
    const texts = meta?.success?.(output, variables)
    if (texts) showSuccess(texts, meta?.showToast)
  },
  onError: (error, variables, _onMutate, { meta }) => {
    const texts = meta?.failure?.(error, variables)
    if (texts && meta?.showToast) meta.showToast('error', texts.title, texts.message)
    else if (texts) toast.failure(error, texts)
    if (isSessionError(failureOf(error))) askToSignInAgain()
  },
  onSettled: (_output, error, _variables, _onMutate, { meta = {} }, { client }) => {
    const { invalidates = [], later, reloads } = meta
    // Any other error may mean that the page shows outdated data.
    if (error && isRetryable(error)) return undefined
    if (reloads && !error) void reloadPage().then(() => client.invalidateQueries())
    if (later) setTimeout(() => void invalidate(client, later.invalidates), later.ms)
    const fetched = invalidate(client, invalidates)
    return error ? undefined : fetched
  },
})
