import { appErrors, isOpen, type StoredFile, type Message } from '@community/contract'
import { useRef, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { failureOf, fieldMessage, AppError } from '../../lib/failure.ts'
import { serverText, t } from '../../lib/i18n.ts'
import { clockAhead, useServerAhead } from '../../lib/server-clock.ts'
import type { SuccessToast } from '../../lib/success-toast.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { uploadFile } from '../../lib/upload.ts'
import { applyServerErrors, type SchemaForm } from '../../lib/use-form.ts'
import { applyFailureToast } from './apply.ts'
import type { ChosenWork, WorkDraft } from './work-form.ts'

export type SubmitFailure = { kind: 'upload'; translated: string } | { kind: 'application'; message: Message }

/** Work as the procedures take it. */
type WorkInput =
  | { type: 'link'; content: string }
  | { type: 'upload'; content: string; fileInfo: Pick<StoredFile, 'originalName' | 'fileSize' | 'mimeType'> }

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** The specification's text for a failed upload; without a readable response it only says to try again. */
function uploadFailureText(error: unknown): string {
  const failure = failureOf(error)
  if (failure.code === 'INVALID_RESPONSE') return t('File upload failed. Please try again.')
  return t('File upload failed: {message}', { message: serverText(failure) })
}

/** Uploaded files that are not in an application yet, so that a retry, or opening the form again, does not upload them again. */
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

/** The upload failed, which an alert has shown, or was cancelled by the user. */
class NotUploadedError extends Error {}

/** Loads the challenge again, as its deadline may have been moved. If that fails, the server decides on submission. */
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
  /** Submits a new link or file. */
  submitNew: (values: Values, work: WorkInput) => Promise<Output>
  /** Submits the earlier work again. */
  resubmit?: () => Promise<Output>
  /** The success toast. */
  success: (values: Values | SameWork) => SuccessToast
  /** The text of a failure without a message; "Failed to submit application" by default. */
  fallback?: (values: Values | SameWork) => string | undefined
  form: SchemaForm<WorkDraft, unknown>
}

/** Submits work for a challenge, uploading its file first. */
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
        // An error about the file itself: another attempt would fail again.
        const fileError = failureOf(error).errors.find(({ path }) => path === 'file')
        if (fileError) form.setError('file', { type: 'server', ...fieldMessage(fileError) })
        else setUploadFailure(message)
        window.alert(message)
      }
      throw new NotUploadedError()
    }
  }

  const procedure = {
    mutate: async (values: Values | SameWork): Promise<Output> => {
      const chosen: ChosenWork = values
      if (chosen.type === 'same') return resubmit?.() ?? Promise.reject(new NotUploadedError())
      // Narrowed by the check above, which TypeScript does not see for a type parameter.
      const newWork = values as Values
      if (chosen.type === 'link') return submitNew(newWork, { type: 'link', content: chosen.link })
      // The server checks the deadline only after the upload: check it before, to spare the upload of a large file.
      if (await isDeadlinePassed(challengeId, serverNow)) {
        const { code, message } = appErrors.challengeExpired
        throw new AppError(message, { code })
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
      // The server removes unused files after a while: upload it again on the next attempt.
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

/** The state that the form shows. */
export type WorkSubmission = Omit<ReturnType<typeof useSubmitWork>, 'submitWork'>
