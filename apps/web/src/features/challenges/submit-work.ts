import { appErrors, isOpen, type StoredFile, type Message } from '@community/contract'
import { useRef, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { FORMAT_TEXT, failureOf, RefusedError } from '../../lib/failure.ts'
import { serverText, t } from '../../lib/i18n.ts'
import type { SuccessToast } from '../../lib/query-client.ts'
import { clockAhead, useServerAhead } from '../../lib/server-clock.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { uploadFile } from '../../lib/upload.ts'
import { applyServerErrors, type SchemaForm } from '../../lib/use-form.ts'
import { applyFailureToast } from './apply.ts'
import type { ChosenWork, WorkDraft } from './work-form.ts'

export type SubmitFailure = { kind: 'upload'; translated: string } | { kind: 'application'; message: Message }

/** Work as the calls take it. */
export type WorkInput =
  | { type: 'link'; content: string }
  | { type: 'upload'; content: string; fileInfo: Pick<StoredFile, 'originalName' | 'fileSize' | 'mimeType'> }

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** The specification's words for a file that was not taken; where nothing readable came back there is only to try again. */
function uploadFailureText(error: unknown): string {
  const failure = failureOf(error)
  if (failure.message === FORMAT_TEXT) return t('File upload failed. Please try again.')
  return t('File upload failed: {message}', { message: serverText(failure) })
}

/** Where files are that arrived and are in no application yet: a second try, or a form opened again, does not send them again. */
const uploadedFiles = new WeakMap<File, StoredFile>()

function useUpload() {
  const [progress, setProgress] = useState<number | null>(null)
  const abortController = useRef<AbortController>(null)
  const upload = async (file: File): Promise<StoredFile> => {
    const uploaded = uploadedFiles.get(file)
    if (uploaded) return uploaded
    abortController.current = new AbortController()
    setProgress(0)
    try {
      const stored = await uploadFile(file, { onProgress: setProgress, signal: abortController.current.signal })
      uploadedFiles.set(file, stored)
      return stored
    } finally {
      setProgress(null)
    }
  }
  return { progress, upload, cancel: () => abortController.current?.abort() }
}

/** A file that did not arrive: the alert has said so, or the reader cancelled it. */
class NotUploadedError extends Error {}

/** Has the deadline passed? Asked anew, for it may have been moved; where nothing is known, the server decides later. */
async function isDeadlinePassed(challengeId: string, serverNow: () => Date): Promise<boolean> {
  try {
    const { challenge } = await trpcClient.challenges.get.query({ id: challengeId })
    return !isOpen(challenge, serverNow())
  } catch {
    return false
  }
}

type NewWork = Exclude<ChosenWork, { type: 'same' }>
type SameWork = { type: 'same' }

interface SubmitWorkOptions<Values extends NewWork, Output> {
  /** Hands in work that was filled in and sent. */
  submitNew: (values: Values, work: WorkInput) => Promise<Output>
  /** Hands in the work that is there already. */
  resubmit?: () => Promise<Output>
  /** The toast once it was taken. */
  success: (values: Values | SameWork) => SuccessToast
  /** What is said of a failure without words, unless it is "Failed to submit application". */
  fallback?: (values: Values | SameWork) => string | undefined
  form: SchemaForm<WorkDraft, unknown>
}

/** Hands work in for a challenge, its file first. */
export function useSubmitWork<Values extends NewWork, Output>(
  challengeId: string,
  options: SubmitWorkOptions<Values, Output>,
) {
  const { submitNew, resubmit, success, fallback, form } = options
  const serverNow = clockAhead(useServerAhead())
  const { progress, upload, cancel } = useUpload()
  const [uploadFailure, setUploadFailure] = useState<string | null>(null)

  const uploadWork = async (file: File): Promise<WorkInput> => {
    try {
      const { secureUrl, originalName, fileSize, mimeType } = await upload(file)
      return { type: 'upload', content: secureUrl, fileInfo: { originalName, fileSize, mimeType } }
    } catch (error) {
      if (!isCancelled(error)) {
        const message = uploadFailureText(error)
        setUploadFailure(message)
        window.alert(message)
      }
      throw new NotUploadedError()
    }
  }

  const procedure = {
    mutate: async (values: Values | SameWork): Promise<Output> => {
      const chosen: ChosenWork = values
      if (chosen.type === 'same') return resubmit?.() ?? Promise.reject(new NotUploadedError())
      // No other kind is left.
      const newWork = values as Values
      if (chosen.type === 'link') return submitNew(newWork, { type: 'link', content: chosen.link })
      // The server checks the deadline only after the upload: check before, so that no large file is sent in vain.
      if (await isDeadlinePassed(challengeId, serverNow)) {
        const { code, message } = appErrors.challengeExpired
        throw new RefusedError(message, { code })
      }
      const output = await submitNew(newWork, await uploadWork(chosen.file))
      uploadedFiles.delete(chosen.file)
      return output
    },
  }
  const { run, isPending, failure, reset } = useAction(procedure, {
    success: (_output, values) => success(values),
    failure: (reason, values, error) =>
      error instanceof NotUploadedError ? null : applyFailureToast(reason, fallback?.(values)),
    fields: (error, values) => {
      const chosen: ChosenWork = values
      // Files that wait too long are removed: the next try sends it anew.
      if (failureOf(error).code === 'FILE_MISSING' && chosen.type === 'upload' && uploadedFiles.delete(chosen.file)) {
        setUploadFailure(t('File upload failed. Please try again.'))
        return true
      }
      return error instanceof NotUploadedError || applyServerErrors(form, error).length > 0
    },
    invalidates: ['challenges', 'submissions', 'teams', 'users'],
  })
  const clearFailure = () => {
    setUploadFailure(null)
    reset()
  }
  const shownFailure: SubmitFailure | null =
    uploadFailure !== null
      ? { kind: 'upload', translated: uploadFailure }
      : failure === undefined
        ? null
        : { kind: 'application', message: failure }
  return {
    submitWork: (values: Values | SameWork) => {
      setUploadFailure(null)
      return run(values)
    },
    cancel,
    progress,
    failure: shownFailure,
    clearFailure,
    isSending: isPending,
  }
}

/** What the form around it shows of it. */
export type WorkSubmission = Omit<ReturnType<typeof useSubmitWork>, 'submitWork'>
