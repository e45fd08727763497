import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import webPush from 'web-push'

export interface PushMessage {
  title: string
  body: string
  language: string
  href: string
}
interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** Settings of a server that sends to `startPushService`, signed with new VAPID keys. */
export function createPushSettings() {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return {
    WEBHOOKS_TO_PRIVATE_ADDRESSES: '1',
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: 'mailto:admin@community.example',
  }
}

/** A browser with a subscription, which decrypts push messages (RFC 8291, with the coding of RFC 8188). */
export function createPushClient(endpoint: string) {
  const keys = createECDH('prime256v1')
  const publicKey = keys.generateKeys()
  const auth = randomBytes(16)
  return {
    subscription: { endpoint, keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') } },
    decrypt(body: Buffer): PushMessage {
      const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)]
      const senderKey = body.subarray(21, 21 + keyLength)
      const record = body.subarray(21 + keyLength)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const secret = derive(keys.computeSecret(senderKey), auth, info, 32)
      const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
      const decipher = createDecipheriv('aes-128-gcm', key, derive(secret, salt, 'Content-Encoding: nonce\0', 12))
      decipher.setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
    },
  }
}

/** The claims of a VAPID header (RFC 8292); throws unless `publicKey` has signed it. */
export function readVapid(header: string, publicKey: string): { aud: string; sub: string; exp: number } {
  const { t = '', k } = Object.fromEntries(
    header
      .replace(/^vapid /, '')
      .split(/,\s*/)
      .map((part) => [part.slice(0, 1), part.slice(2)]),
  ) as { t?: string; k?: string }
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const [head, claims, signature = ''] = t.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (k !== publicKey || !isSigned) throw new Error('not signed by this key')
  return JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())
}

/** Starts a push service that records requests and does what is set for their path; by default it responds with 201. */
export async function startPushService() {
  const received: Received[] = []
  const statuses = new Map<string, number | 'closed connection' | 'no response'>()
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { url: path = '', headers } = request
      received.push({ path, headers, body })
      const outcome = statuses.get(path) ?? 201
      if (outcome === 'no response') held.push(response)
      else if (outcome === 'closed connection') response.destroy()
      else response.writeHead(outcome).end()
    })
  }).listen(0, 'localhost')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    received,
    statuses,
    /** Responds with 201 to the requests that had no response. */
    respond: () => held.splice(0).forEach((response) => response.writeHead(201).end()),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
