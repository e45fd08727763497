import type { ArchiveImport } from '@community/contract'
import { NETWORK_TEXT, parseAppError, TransportError, unreadableResponse } from './failure.ts'
import { retryDelay, shouldRetry } from './retry-policy.ts'
import { sendWithToken } from './session.ts'
import { sleep } from './sleep.ts'

async function putPart(path: string, part: Blob, signal: AbortSignal, token: string | null): Promise<Response> {
  // The page translates the server's English.
  const headers = {
    'accept-language': 'en',
    'content-type': 'application/octet-stream',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  }
  return fetch(path, { method: 'PUT', headers, body: part, signal }).catch((error: unknown) => {
    throw signal.aborted ? error : new TransportError('network', NETWORK_TEXT)
  })
}

/** Sends a part, again where a retry may help: the server acknowledges a part that it has already. */
async function sendPart(path: string, part: Blob, signal: AbortSignal): Promise<void> {
  for (let count = 0; ; count++) {
    signal.throwIfAborted()
    try {
      const response = await sendWithToken((token) => putPart(path, part, signal, token))
      if (response.ok) return
      throw parseAppError(await response.json().catch(() => null)) ?? unreadableResponse(response.status)
    } catch (error) {
      if (signal.aborted || !shouldRetry(count, error)) throw error
      await sleep(retryDelay(count, error), signal)
    }
  }
}

interface SendOptions {
  /** `share` is from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/**
 * Sends the parts of an archive that the server does not have yet. Throws a TransportError (network), an AppError (from the server) or an
 * AbortError (by the signal).
 */
export async function sendArchive(
  file: File,
  { id, received, partSize }: Pick<ArchiveImport, 'id' | 'received' | 'partSize'>,
  { onProgress, signal }: SendOptions,
): Promise<void> {
  for (let start = received; start < file.size; start += partSize) {
    onProgress(start / file.size)
    await sendPart(`/api/admin/import/${id}/parts/${start / partSize}`, file.slice(start, start + partSize), signal)
  }
  onProgress(1)
}
