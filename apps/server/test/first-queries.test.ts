import { inTransaction } from '@community/db'
import { fileForm } from '@community/testing'
import { sql } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import type { IdentityProvider } from '../src/integrations/identity-provider.ts'
import { times } from './accounts.ts'
import { pdf } from './sample-files.ts'
import { openTestServer } from './test-server.ts'

const identityProvider: IdentityProvider = {
  check: () => Promise.resolve(),
  begin: () =>
    Promise.resolve({ url: new URL('https://id.example'), pending: { state: 'a', verifier: 'b', nonce: 'c' } }),
  finish: () => Promise.reject(new Error('not used')),
}

const server = await openTestServer({ CONCURRENT_REQUESTS_PER_IP: '2' }, { identityProvider })
afterAll(() => server.close())

/** Locks a table, so that queries of it wait, until the returned function is called. */
async function lockTable(table: string): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let holder: Promise<void> | undefined
  await new Promise<void>((resolve) => {
    holder = inTransaction(server.db, async (tx) => {
      await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`)
      resolve()
      await released
    })
  })
  return async () => {
    release()
    await holder
  }
}

/** The path of a file that somebody has uploaded. */
async function uploadFile(): Promise<string> {
  const member = await server.createMember()
  const { body } = await server.rest(member)('POST /upload/single', fileForm('file', pdf(), 'a.pdf'))
  return new URL(body.data.file.secureUrl).pathname
}

const BEARER = { authorization: `Bearer ${'x'.repeat(43)}` }
const ROUTES: [string, table: string, status: number, request: (file: string) => InjectOptions][] = [
  ['a file', 'uploads', 200, (url) => ({ url })],
  ['a file under /api', 'uploads', 200, (url) => ({ url: `/api${url}` })],
  ['a thumbnail', 'uploads', 404, (url) => ({ url: `${url.split('/').slice(0, 3).join('/')}/thumbnails/card.webp` })],
  ['the external sign-in', 'rate_limits', 302, () => ({ url: '/auth/google' })],
  ['its callback', 'rate_limits', 302, () => ({ url: '/auth/google/callback' })],
  ['an upload', 'sessions', 401, () => ({ method: 'POST', url: '/api/upload/single', headers: BEARER })],
  ['a profile picture', 'sessions', 401, () => ({ method: 'POST', url: '/api/upload/profile', headers: BEARER })],
  ['several files', 'sessions', 401, () => ({ method: 'POST', url: '/api/upload/submission', headers: BEARER })],
  [
    'a part of an import',
    'sessions',
    401,
    () => ({ method: 'PUT', url: '/api/admin/import/1/parts/0', headers: BEARER }),
  ],
]

describe('two dozen concurrent requests of one address', () => {
  it.each(ROUTES)('for %s leave connections to others, and none is refused', async (_name, table, status, request) => {
    const options = request(await uploadFile())
    const unlock = await lockTable(table)
    const responses = times(24, () => server.app.inject(options))
    // Without a limit they would hold every connection of the pool until the lock times out.
    const other = await server.sql`select 1 as answer`.catch((error: unknown) => error)
    await unlock()
    const statuses = (await Promise.all(responses)).map(({ statusCode }) => statusCode)
    expect([other, new Set(statuses)]).toEqual([[{ answer: 1 }], new Set([status])])
  })
})
