import http from 'node:http'
import https from 'node:https'
import { addressInUrl, isPublicAddress, lookupPublic, PrivateAddressError } from './public-address.ts'

interface Message {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

interface SendOptions {
  isPrivateAllowed: boolean
  stopping: AbortSignal
  /** From the look-up of the host to the response's status. */
  timeoutMs?: number
}

/**
 * Posts a message and resolves with the response's status; its body is not read and redirects are not followed. Rejects without a
 * response, and with `PrivateAddressError` for an address that is not public.
 */
export function sendMessage(
  { url, headers, body }: Message,
  { isPrivateAllowed, stopping, timeoutMs = 10_000 }: SendOptions,
): Promise<number> {
  const target = new URL(url)
  const address = addressInUrl(target)
  if (!isPrivateAllowed && (target.protocol !== 'https:' || (address && !isPublicAddress(address))))
    return Promise.reject(new PrivateAddressError())
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? https : http).request(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, 'content-length': Buffer.byteLength(body) },
      // A connection of its own, so that none is shared between receivers.
      agent: false,
      signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
      ...(!isPrivateAllowed && { lookup: lookupPublic }),
    })
    request.once('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    request.on('error', reject)
    // A receiver may switch protocols (101), which is neither a response nor an error.
    request.once('upgrade', ({ statusCode = 0 }, socket) => {
      resolve(statusCode)
      socket.destroy()
    })
    request.once('close', () => reject(new Error('the connection was closed')))
    request.end(body)
  })
}
