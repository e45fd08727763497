import type { ArchiveImport } from '@community/contract'
import { useAction } from '../../lib/action.ts'
import { type ClientFailure, failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { memoryState } from '../../lib/memory-state.ts'
import { sendArchive } from '../../lib/send-archive.ts'
import { trpcClient } from '../../lib/trpc.ts'

export const INVALIDATES = ['admin.archiveImport']

// The upload goes on while the user visits other tabs of the admin area.
const useChosenFile = memoryState<File | null>(null)
const useRunningUpload = memoryState<{ progress: number; cancel: () => void } | null>(null)
const useUploadFailure = memoryState<ClientFailure | null>(null)

interface Upload {
  target: ArchiveImport
  archive: File
}

/** The archive to upload for `current`, the import that the server has, and its upload. */
export function useArchiveUpload(current: ArchiveImport | null) {
  const t = useT()
  const [file, setFile] = useChosenFile()
  const [running, setRunning] = useRunningUpload()
  const [uploadFailure, setUploadFailure] = useUploadFailure()
  const partial = current?.status === 'receiving' ? current : null
  const isSame = partial !== null && file?.name === partial.fileName && file.size === partial.size

  const sendParts = async ({ target, archive }: Upload): Promise<void> => {
    const controller = new AbortController()
    const { signal } = controller
    const onProgress = (progress: number) => setRunning({ progress, cancel: () => controller.abort() })
    onProgress(target.received / target.size)
    try {
      // The server may have more than this page knows: an upload that broke off fetched nothing.
      const { import: newest } = await trpcClient.admin.archiveImport.query(undefined, { signal })
      await sendArchive(archive, newest?.id === target.id ? newest : target, { onProgress, signal })
      setFile(null)
    } catch (error) {
      if (signal.aborted) return
      setUploadFailure(failureOf(error))
      throw error
    } finally {
      setRunning(null)
    }
  }
  const send = useAction({ mutate: sendParts }, { invalidates: INVALIDATES })
  const start = useAction(trpcClient.admin.startImport, {
    input: (archive: File, { password }) => ({ fileName: archive.name, size: archive.size, password }),
    password: {
      title: t('Import an archive'),
      message: t('Everything in the archive will be imported. Enter your admin password to continue.'),
      confirmLabel: t('Import'),
    },
    success: t('The upload has begun. Keep this page open.'),
    invalidates: INVALIDATES,
  })
  const upload = async (archive: File) => {
    setUploadFailure(null)
    const target = isSame ? partial : (await start.run(archive))?.import
    if (target) await send.run({ target, archive })
  }
  return {
    file,
    setFile,
    partial,
    isSame,
    progress: running?.progress ?? null,
    cancel: () => running?.cancel(),
    failure: uploadFailure ?? start.failure,
    isPending: start.isPending || send.isPending || running !== null,
    upload,
  }
}
