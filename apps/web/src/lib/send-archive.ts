import type { ArchiveImport } from '@community/contract'
import { NETWORK_TEXT, parseAppError, TransportError, unreadableResponse } from './failure.ts'
import { sendWithToken } from './session.ts'

async function sendPart(path: string, part: Blob, signal: AbortSignal, token: string | null): Promise<Response> {
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
    const path = `/api/admin/import/${id}/parts/${start / partSize}`
    const part = file.slice(start, start + partSize)
    const response = await sendWithToken((token) => sendPart(path, part, signal, token))
    if (!response.ok)
      throw parseAppError(await response.json().catch(() => null)) ?? unreadableResponse(response.status)
  }
  onProgress(1)
}
