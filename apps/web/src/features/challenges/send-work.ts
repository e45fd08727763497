import { appErrors, isOpen, type StoredFile } from '@community/contract'
import { useRef, useState } from 'react'
import { FORMAT_TEXT, failureOf, isTransient, RefusedError } from '../../lib/failure.ts'
import { serverText, t } from '../../lib/i18n.ts'
import { clockAhead, useServerAhead } from '../../lib/server-clock.ts'
import { trpc } from '../../lib/trpc.ts'
import { uploadFile } from '../../lib/upload.ts'
import { toastRefusal } from './apply.ts'
import type { ChosenWork } from './work-form.ts'

export interface SendFailure {
  of: 'upload' | 'application'
  /** Of an upload: translated. Of an application: the server's English. */
  message: string
}

/** Work as the calls take it. */
export type SentWork =
  | { type: 'link'; content: string }
  | { type: 'upload'; content: string; fileInfo: Pick<StoredFile, 'originalName' | 'fileSize' | 'mimeType'> }

const wasCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** The specification's words for a file that was not taken; where nothing readable came back there is only to try again. */
function uploadFailed(error: unknown): string {
  const { message } = failureOf(error)
  if (message === FORMAT_TEXT) return t('File upload failed. Please try again.')
  return t('File upload failed: {message}', { message: serverText(message).text })
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

/** Hands work in for a challenge, its file first. `land` puts a refusal on the form's fields where it speaks of one. */
export function useSendWork(challengeId: string, land: (error: unknown) => boolean) {
  const utils = trpc.useUtils()
  const serverNow = clockAhead(useServerAhead())
  const { progress, upload, cancel } = useUpload()
  const [isHandingIn, setIsHandingIn] = useState(false)
  const [failure, setFailure] = useState<SendFailure | null>(null)

  /** Has the deadline passed? Asked anew, for it may have been moved; where nothing is known, the server decides later. */
  const isOver = async (): Promise<boolean> => {
    setIsHandingIn(true)
    try {
      const { challenge } = await utils.client.challenges.get.query({ id: challengeId })
      return !isOpen(challenge, serverNow())
    } catch {
      return false
    } finally {
      setIsHandingIn(false)
    }
  }

  /** Where a file arrived; null when it did not. */
  const sentFile = async (file: File): Promise<SentWork | null> => {
    try {
      const { secureUrl, originalName, fileSize, mimeType } = await upload(file)
      return { type: 'upload', content: secureUrl, fileInfo: { originalName, fileSize, mimeType } }
    } catch (error) {
      if (wasCancelled(error)) return null
      const message = uploadFailed(error)
      setFailure({ of: 'upload', message })
      window.alert(message)
      return null
    }
  }

  const refused = (error: unknown, chosen: ChosenWork, fallback?: string) => {
    const failed = failureOf(error)
    const { code, message } = failed
    // What the page knew of the challenge and the reader's teams let them send this: it is so no more.
    if (!isTransient(failed)) for (const known of [utils.challenges, utils.users]) void known.invalidate()
    // Files that wait too long are removed: the next try sends it anew.
    const isFileGone = code === 'FILE_MISSING' && chosen.type === 'upload' && arrived.delete(chosen.file)
    if (isFileGone) setFailure({ of: 'upload', message: t('File upload failed. Please try again.') })
    else if (!land(error)) setFailure({ of: 'application', message })
    toastRefusal(error, fallback)
  }

  const hand = async (chosen: ChosenWork, call: () => Promise<unknown>, fallback?: string): Promise<boolean> => {
    setIsHandingIn(true)
    try {
      await call()
      if (chosen.type === 'upload') arrived.delete(chosen.file)
      return true
    } catch (error) {
      refused(error, chosen, fallback)
      return false
    } finally {
      setIsHandingIn(false)
    }
  }

  /** `handIn` makes the call. Answers whether it was taken. */
  const send = async (
    chosen: Exclude<ChosenWork, { type: 'same' }>,
    handIn: (work: SentWork) => Promise<unknown>,
  ): Promise<boolean> => {
    setFailure(null)
    // A large file need not go up to be refused: the server judges the deadline only when the work is handed in.
    if (chosen.type === 'upload' && (await isOver())) {
      const { code, message } = appErrors.challengeExpired
      refused(new RefusedError(message, { code }), chosen)
      return false
    }
    const work: SentWork | null =
      chosen.type === 'link' ? { type: 'link', content: chosen.link } : await sentFile(chosen.file)
    return work !== null && hand(chosen, () => handIn(work))
  }

  /** The work that is there already, by a call of its own; `fallback` says what failed where the server does not. */
  const sendAgain = (call: () => Promise<unknown>, fallback: string): Promise<boolean> => {
    setFailure(null)
    return hand({ type: 'same' }, call, fallback)
  }

  return {
    send,
    sendAgain,
    cancel,
    progress,
    failure,
    forgetFailure: () => setFailure(null),
    isSending: progress !== null || isHandingIn,
  }
}

export type Sending = ReturnType<typeof useSendWork>
