import createClient, { type Client } from 'openapi-fetch'
import { IDEMPOTENT_OPERATIONS } from './idempotent-operations.gen.ts'
import { createPager, type Pager } from './pages.ts'
import type { paths } from './schema.gen.ts'
import { createSender, type SenderOptions } from './send.ts'
import { serializeBody, TypedRequest } from './serialize-body.ts'

export interface CommunityOptions extends SenderOptions {
  /** The address of the API, such as `https://community.example/api`. */
  baseUrl: string
}

export type CommunityClient = Client<paths> & Pager

const KEY_HEADER = 'Idempotency-Key'

/** 128 random bits. Browsers have `crypto.randomUUID` on https pages only. */
const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A client of the API: a method per HTTP method, typed by path, and iterators over lists. */
export function createCommunityClient({ baseUrl, ...options }: CommunityOptions): CommunityClient {
  const client = createClient<paths>({
    baseUrl,
    fetch: createSender(options),
    bodySerializer: serializeBody,
    Request: TypedRequest,
    querySerializer: { array: { style: 'form', explode: false } },
  })
  client.use({
    onRequest({ request, schemaPath }) {
      const isIdempotent = IDEMPOTENT_OPERATIONS.includes(`${request.method} ${schemaPath}`)
      if (isIdempotent && !request.headers.has(KEY_HEADER)) request.headers.set(KEY_HEADER, createKey())
    },
  })
  return { ...client, ...createPager(client) }
}
