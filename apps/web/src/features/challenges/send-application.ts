import type { Challenge, StoredFile } from '@community/contract'
import { useRef, useState } from 'react'
import { emit } from '../../lib/events.ts'
import { FORMAT_TEXT, failureOf } from '../../lib/failure.ts'
import { msg, serverText, t } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { uploadFile } from '../../lib/upload.ts'
import { toastRefusal } from './apply.ts'
import type { ApplyForm } from './apply-form.ts'

export interface SendFailure {
  of: 'upload' | 'application'
  /** Of an upload: translated. Of an application: the server's English. */
  message: string
}

const wasCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** The specification's words for a file that was not taken; where nothing readable came back there is only to try again. */
function uploadFailed(error: unknown): string {
  const { message } = failureOf(error)
  if (message === FORMAT_TEXT) return t('File upload failed. Please try again.')
  return t('File upload failed: {message}', { message: serverText(message).text })
}

/** Sends a file once: a second try of the same application does not send it again. */
function useUpload() {
  const [progress, setProgress] = useState<number | null>(null)
  const control = useRef<AbortController>(null)
  const sent = useRef<{ file: File; stored: StoredFile }>(null)
  const upload = async (file: File): Promise<StoredFile> => {
    if (sent.current?.file === file) return sent.current.stored
    control.current = new AbortController()
    setProgress(0)
    try {
      const stored = await uploadFile(file, { onProgress: setProgress, signal: control.current.signal })
      sent.current = { file, stored }
      return stored
    } finally {
      setProgress(null)
    }
  }
  return { progress, upload, cancel: () => control.current?.abort() }
}

/** Sends an application, its file first; tells the others when it has arrived. */
export function useSendApplication(challenge: Challenge, onDone: () => void) {
  const { progress, upload, cancel } = useUpload()
  const [failure, setFailure] = useState<SendFailure | null>(null)
  const apply = trpc.challenges.applyTo.useMutation({
    meta: { done: msg('Application submitted successfully!'), invalidates: ['challenges', 'submissions'] },
  })

  const workOf = async (form: ApplyForm) => {
    if (form.type === 'link') return { type: form.type, content: form.link }
    const { secureUrl, originalName, fileSize, mimeType } = await upload(form.file)
    return { type: form.type, content: secureUrl, fileInfo: { originalName, fileSize, mimeType } }
  }

  const send = async (form: ApplyForm): Promise<void> => {
    const { teamId, applicationNotes } = form
    setFailure(null)
    let work: Awaited<ReturnType<typeof workOf>>
    try {
      work = await workOf(form)
    } catch (error) {
      if (wasCancelled(error)) return
      const message = uploadFailed(error)
      setFailure({ of: 'upload', message })
      window.alert(message)
      return
    }
    try {
      await apply.mutateAsync({ id: challenge.id, teamId, applicationNotes, ...work })
      emit('submissionCreated', { teamId, challengeId: challenge.id })
      onDone()
    } catch (error) {
      setFailure({ of: 'application', message: failureOf(error).message })
      toastRefusal(error)
    }
  }

  const forgetFailure = () => setFailure(null)

  return { send, cancel, progress, failure, forgetFailure, isSending: progress !== null || apply.isPending }
}
