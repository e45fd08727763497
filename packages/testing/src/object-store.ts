import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenLocally } from './listening.ts'
import { type FaultyNetwork, openFaultyNetwork } from './database/faulty-network.ts'
import type { Settings } from './server-process.ts'

/** The store’s reaction to a request: serves it, answers 500, stores half of the body, or responds after `slow` milliseconds. */
type StoreBehaviour = 'works' | 'fails' | 'truncates' | { slow: number }

/** An object storage behind a faulty network: a real one, or a fake that can fail too. */
export interface ObjectStore {
  settings: Settings
  network: FaultyNetwork
  /** Null for a real one, of which only the network can fail. */
  fake: { behaviour: StoreBehaviour; objects: Map<string, { body: Buffer; type: string }> } | null
  close(): void
}

function errorResponse(status: number, code: string) {
  return { status, body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>on purpose</Message></Error>` }
}

/** An in-memory fake of the part of S3 that the product uses. */
async function startFake(): Promise<{ port: number; fake: NonNullable<ObjectStore['fake']>; close(): void }> {
  const fake: NonNullable<ObjectStore['fake']> = { behaviour: 'works', objects: new Map() }
  const server = http.createServer((request, response) => {
    const createResponse = async () => {
      const sent = await buffer(request)
      if (typeof fake.behaviour === 'object') await sleep(fake.behaviour.slow)
      const refuse = ({ status, body }: ReturnType<typeof errorResponse>) =>
        response.writeHead(status, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? '' : body)
      if (fake.behaviour === 'fails') return refuse(errorResponse(500, 'InternalError'))
      const key = new URL(request.url ?? '/', 'http://store').pathname.slice(1)
      if (!key.includes('/')) return response.writeHead(200).end()
      if (request.method === 'PUT') {
        const body = fake.behaviour === 'truncates' ? sent.subarray(0, sent.length / 2) : sent
        fake.objects.set(key, { body, type: request.headers['content-type'] ?? '' })
        return response.writeHead(200, { etag: '"0"' }).end()
      }
      if (request.method === 'DELETE') {
        fake.objects.delete(key)
        return response.writeHead(204).end()
      }
      const found = fake.objects.get(key)
      if (!found) return refuse(errorResponse(404, 'NoSuchKey'))
      response.writeHead(200, { 'content-type': found.type, 'content-length': found.body.length })
      return response.end(request.method === 'HEAD' ? undefined : found.body)
    }
    void createResponse().catch(() => request.destroy())
  })
  return {
    port: await listenLocally(server),
    fake,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Settings of the S3 server that `TEST_S3_ENDPOINT` names; none without such a server. */
export function realS3Settings(bucket: string, env: NodeJS.ProcessEnv = process.env): Settings {
  const { TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID = '', TEST_S3_SECRET_ACCESS_KEY = '' } = env
  if (!TEST_S3_ENDPOINT) return {}
  return {
    S3_ENDPOINT: TEST_S3_ENDPOINT,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: TEST_S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: TEST_S3_SECRET_ACCESS_KEY,
  }
}

const FAKE_SETTINGS: Settings = {
  S3_BUCKET: 'test',
  S3_ACCESS_KEY_ID: 'test',
  S3_SECRET_ACCESS_KEY: 'a secret of a test',
}

/** Opens a store for the real S3 server at `endpoint`, or for a fake without one. */
export async function openObjectStore(endpoint?: string): Promise<ObjectStore> {
  const started = endpoint === undefined ? await startFake() : null
  const network = await openFaultyNetwork(started?.port ?? Number(new URL(endpoint ?? '').port))
  const settings = started ? FAKE_SETTINGS : realS3Settings(`test-${process.pid}`)
  return {
    settings: { ...settings, S3_ENDPOINT: `http://127.0.0.1:${network.port}` },
    network,
    fake: started?.fake ?? null,
    close() {
      network.close()
      started?.close()
    },
  }
}
