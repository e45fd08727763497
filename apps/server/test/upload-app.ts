import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Failure, StoredFile } from '@community/contract'
import { uploads } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import { fileForm } from '@community/testing'
import Fastify from 'fastify'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { createSecret } from '../src/auth/secret.ts'
import type { Caller, Deps } from '../src/context.ts'
import { sendFailure } from '../src/http/envelope.ts'
import type { Storage } from '../src/integrations/storage.ts'
import { clientInfoOf } from '../src/http/client-info.ts'
import { acceptJsonOnly } from '../src/rest/routes.ts'
import { fileRoutes } from '../src/uploads/file-routes.ts'
import { uploadRoutes } from '../src/uploads/upload-routes.ts'
import { openWorkFixture, type WorkFixture } from './work-fixture.ts'

const UploadResponse = z.union([z.object({ success: z.literal(true), data: z.object({ file: StoredFile }) }), Failure])

export interface UploadApp {
  url: string
  port: number
  deps: Deps
  /** Uploads a file as a form; signed out with null. */
  send(
    user: Caller | null,
    bytes: Uint8Array<ArrayBuffer>,
    options?: {
      name?: string
      type?: string
      field?: string
      headers?: Record<string, string>
      endpoint?: 'single' | 'profile'
    },
  ): Promise<{ status: number; headers: Headers; body: z.output<typeof UploadResponse> }>
  /** Uploads a file and throws if it is rejected. */
  uploadFile(user: Caller, bytes: Uint8Array<ArrayBuffer>, name: string): Promise<StoredFile>
  close(): Promise<void>
}

export const findUploads = ({ db }: WorkFixture, { id }: Caller) =>
  db.select().from(uploads).where(eq(uploads.userId, id))

/** The keys of all stored objects. */
export async function listKeys({ storage }: WorkFixture): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list('')) keys.push(key)
  return keys
}

/** The bearer token is the user's id, because authentication is tested elsewhere. */
async function findCaller({ db }: WorkFixture, id: string | undefined): Promise<Caller | null> {
  const user = id === undefined ? undefined : await db.query.users.findFirst({ where: (t, { eq }) => eq(t.id, id) })
  return user ? { id: user.id, name: user.name, email: user.email, role: user.role, familyId: user.id } : null
}

/** A listening server with the file and upload routes only, with the error handler and parsers of the app. */
export async function openUploadApp(fixture: WorkFixture, storage: Storage = fixture.storage): Promise<UploadApp> {
  const app = Fastify({ bodyLimit: 64 * 1024, forceCloseConnections: true })
  const deps: Deps = { ...fixture.deps, storage, secret: createSecret(randomBytes(32)) }
  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  await app.register(
    async (api) => {
      acceptJsonOnly(api)
      await api.register(uploadRoutes, {
        deps,
        createContext: async (request, reply) => ({
          deps,
          db: deps.db,
          user: await findCaller(fixture, request.headers.authorization),
          tokenError: null,
          request: clientInfoOf(request, reply),
        }),
      })
    },
    { prefix: '/api' },
  )
  await app.register(fileRoutes, { deps, limitFirstQuery: (_request, _reply, query) => query() })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  const send: UploadApp['send'] = async (
    user,
    bytes,
    {
      name = 'file.png',
      type,
      endpoint = 'single',
      field = endpoint === 'single' ? 'file' : endpoint,
      headers = {},
    } = {},
  ) => {
    const response = await fetch(`${url}/api/upload/${endpoint}`, {
      method: 'POST',
      body: fileForm(field, bytes, name, type),
      headers: { ...(user && { authorization: user.id }), ...headers },
    })
    return { status: response.status, headers: response.headers, body: UploadResponse.parse(await response.json()) }
  }
  return {
    url,
    port,
    deps,
    send,
    uploadFile: async (user, bytes, name) => {
      const { body } = await send(user, bytes, { name })
      if (!body.success) throw new Error(body.message)
      return body.data.file
    },
    close: async () => app.close(),
  }
}

/** Opens a fixture and an upload app, and closes them after the file's tests. */
export async function openUploadFixture(): Promise<{ fixture: WorkFixture; app: UploadApp }> {
  const fixture = await openWorkFixture()
  const app = await openUploadApp(fixture)
  afterAll(async () => {
    await app.close()
    await fixture.close()
  })
  return { fixture, app }
}
