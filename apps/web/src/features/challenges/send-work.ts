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
import { refusalToast } from './apply.ts'
import type { ChosenWork, WorkDraft } from './work-form.ts'

export type SendFailure = { of: 'upload'; translated: string } | { of: 'application'; message: Message }

/** Work as the calls take it. */
export type SentWork =
  | { type: 'link'; content: string }
  | { type: 'upload'; content: string; fileInfo: Pick<StoredFile, 'originalName' | 'fileSize' | 'mimeType'> }

const wasCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** The specification's words for a file that was not taken; where nothing readable came back there is only to try again. */
function uploadFailed(error: unknown): string {
  const failure = failureOf(error)
  if (failure.message === FORMAT_TEXT) return t('File upload failed. Please try again.')
  return t('File upload failed: {message}', { message: serverText(failure) })
}

/** Where files are that arrived and are in no application yet: a second try, or a form opened again, does not send them again. */
const arrived = new WeakMap<File, StoredFile>()

function useUpload() {
  const [progress, setProgress] = useState<number | null>(null)
  const control = useRef<AbortController>(null)
  const upload = async (file: File): Promise<StoredFile> => {
    const before = arrived.get(file)
    if (before) return before
    control.current = new AbortController()
    setProgress(0)
    try {
      const stored = await uploadFile(file, { onProgress: setProgress, signal: control.current.signal })
      arrived.set(file, stored)
      return stored
    } finally {
      setProgress(null)
    }
  }
  return { progress, upload, cancel: () => control.current?.abort() }
}

/** A file that did not arrive: the alert has said so, or the reader cancelled it. */
class NotUploaded extends Error {}

/** Has the deadline passed? Asked anew, for it may have been moved; where nothing is known, the server decides later. */
async function isOver(challengeId: string, serverNow: () => Date): Promise<boolean> {
  try {
    const { challenge } = await trpcClient.challenges.get.query({ id: challengeId })
    return !isOpen(challenge, serverNow())
  } catch {
    return false
  }
}

type Sendable = Exclude<ChosenWork, { type: 'same' }>
type Same = { type: 'same' }

interface HandIn<Filled extends Sendable, Output> {
  /** Hands in work that was filled in and sent. */
  handIn: (filled: Filled, work: SentWork) => Promise<Output>
  /** Hands in the work that is there already. */
  again?: () => Promise<Output>
  /** The toast once it was taken. */
  success: (filled: Filled | Same) => SuccessToast
  /** What is said of a failure without words, unless it is "Failed to submit application". */
  fallback?: (filled: Filled | Same) => string | undefined
  form: SchemaForm<WorkDraft, unknown>
}

/** Hands work in for a challenge, its file first. */
export function useSendWork<Filled extends Sendable, Output>(challengeId: string, declared: HandIn<Filled, Output>) {
  const { handIn, again, success, fallback, form } = declared
  const serverNow = clockAhead(useServerAhead())
  const { progress, upload, cancel } = useUpload()
  const [uploadFailure, setUploadFailure] = useState<string | null>(null)

  const sentFile = async (file: File): Promise<SentWork> => {
    try {
      const { secureUrl, originalName, fileSize, mimeType } = await upload(file)
      return { type: 'upload', content: secureUrl, fileInfo: { originalName, fileSize, mimeType } }
    } catch (error) {
      if (!wasCancelled(error)) {
        const message = uploadFailed(error)
        setUploadFailure(message)
        window.alert(message)
      }
      throw new NotUploaded()
    }
  }

  const sending = {
    mutate: async (filled: Filled | Same): Promise<Output> => {
      const chosen: ChosenWork = filled
      if (chosen.type === 'same') return again?.() ?? Promise.reject(new NotUploaded())
      // No other kind is left.
      const one = filled as Filled
      if (chosen.type === 'link') return handIn(one, { type: 'link', content: chosen.link })
      // The server checks the deadline only after the upload: check before, so that no large file is sent in vain.
      if (await isOver(challengeId, serverNow)) {
        const { code, message } = appErrors.challengeExpired
        throw new RefusedError(message, { code })
      }
      const output = await handIn(one, await sentFile(chosen.file))
      arrived.delete(chosen.file)
      return output
    },
  }
  const { run, isPending, failure, reset } = useAction(sending, {
    success: (_output, filled) => success(filled),
    failure: (reason, filled, error) =>
      error instanceof NotUploaded ? null : refusalToast(reason, fallback?.(filled)),
    fields: (error, filled) => {
      const chosen: ChosenWork = filled
      // Files that wait too long are removed: the next try sends it anew.
      if (failureOf(error).code === 'FILE_MISSING' && chosen.type === 'upload' && arrived.delete(chosen.file)) {
        setUploadFailure(t('File upload failed. Please try again.'))
        return true
      }
      return error instanceof NotUploaded || applyServerErrors(form, error).length > 0
    },
    invalidates: ['challenges', 'submissions', 'teams', 'users'],
  })
  const forgetFailure = () => {
    setUploadFailure(null)
    reset()
  }
  const shown: SendFailure | null =
    uploadFailure !== null
      ? { of: 'upload', translated: uploadFailure }
      : failure === undefined
        ? null
        : { of: 'application', message: failure }
  return {
    send: (filled: Filled | Same) => {
      setUploadFailure(null)
      return run(filled)
    },
    cancel,
    progress,
    failure: shown,
    forgetFailure,
    isSending: isPending,
  }
}

/** What the form around it shows of it. */
export type Sending = Omit<ReturnType<typeof useSendWork>, 'send'>
