import { parseJson } from './parse-json.ts'
import type { StoredFile } from '@community/contract'
import { REQUEST_TIMEOUT_MS } from '@community/contract/limits'
import {
  isRecord,
  NETWORK_TEXT,
  parseAppError,
  AppError,
  TransportError,
  unreadableResponse,
  UPLOAD_TIMEOUT_TEXT,
} from './failure.ts'
import { sendWithToken } from './session.ts'

/** The upload endpoints and the form field each expects. */
const ENDPOINTS = {
  single: { path: '/api/upload/single', field: 'file' },
  profile: { path: '/api/upload/profile', field: 'profile' },
} as const

interface UploadOptions {
  /** `share` is from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

interface UploadResponse {
  status: number
  body: unknown
}

/**
 * Uses XMLHttpRequest, because fetch reports no upload progress. Times out after 10 s without progress. The last bytes are
 * reported once they are buffered, so the response may take as long again as the upload.
 */
function send(path: string, form: FormData, token: string | null, options: UploadOptions): Promise<UploadResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let stallTimer: ReturnType<typeof setTimeout>
    const fail = (error: unknown) => {
      clearTimeout(stallTimer)
      reject(error)
    }
    const restartTimer = (milliseconds: number) => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(() => {
        // Fail first: abort() reports a cancelled upload synchronously.
        fail(new TransportError('timeout', UPLOAD_TIMEOUT_TEXT))
        request.abort()
      }, milliseconds)
    }
    const startedAt = performance.now()
    const onActivity = () => restartTimer(REQUEST_TIMEOUT_MS)
    request.upload.addEventListener('load', () => restartTimer(REQUEST_TIMEOUT_MS + performance.now() - startedAt))
    request.upload.addEventListener('progress', (event) => {
      onActivity()
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total)
    })
    request.addEventListener('load', () => {
      clearTimeout(stallTimer)
      resolve({ status: request.status, body: parseJson(request.responseText) })
    })
    request.addEventListener('error', () => fail(new TransportError('network', NETWORK_TEXT)))
    request.addEventListener('abort', () => fail(new DOMException('The upload was cancelled', 'AbortError')))
    options.signal?.addEventListener('abort', () => request.abort())
    request.open('POST', path)
    // The page translates the server's English.
    request.setRequestHeader('accept-language', 'en')
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    onActivity()
    request.send(form)
  })
}

function dataOf({ status, body }: UploadResponse): Record<string, unknown> {
  if (!isRecord(body)) throw unreadableResponse(status)
  if (status >= 400 || body['success'] !== true) {
    const message = typeof body['message'] === 'string' && body['message'] ? body['message'] : `HTTP ${status}`
    throw parseAppError(body) ?? new AppError(message, {})
  }
  return isRecord(body['data']) ? body['data'] : {}
}

async function upload(endpoint: keyof typeof ENDPOINTS, file: File, options: UploadOptions): Promise<StoredFile> {
  const { path, field } = ENDPOINTS[endpoint]
  const form = new FormData()
  form.append(field, file)
  const response = await sendWithToken((token) => {
    options.signal?.throwIfAborted()
    return send(path, form, token, options)
  })
  // As the contract declares for these endpoints.
  const { file: stored } = dataOf(response) as { file: StoredFile }
  return stored
}

/**
 * Uploads one file and returns where it is stored. Throws a TransportError (timeout, network), an AppError (from the
 * server) or an AbortError (by the signal).
 */
export const uploadFile = (file: File, options: UploadOptions = {}): Promise<StoredFile> =>
  upload('single', file, options)

/** Uploads an image that becomes the user's avatar. Throws as `uploadFile`. */
export const uploadAvatar = (file: File, options: UploadOptions = {}): Promise<StoredFile> =>
  upload('profile', file, options)
