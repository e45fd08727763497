import { Readable } from 'node:stream'
import { uploads } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { html, pdf, png } from '../../test/sample-files.ts'
import { openMeteredPool } from '../../test/metered-pool.ts'
import { listKeys, openUploadFixture } from '../../test/upload-app.ts'
import type { Caller } from '../context.ts'
import type { ReceivedFile } from './receive-file.ts'
import { storeFiles } from './store-file.ts'

const { fixture, app } = await openUploadFixture()

/** The part of a response that is tested here. */
const UploadResponse = z.object({
  code: z.string().optional(),
  errors: z.array(z.object({ path: z.string() })).default([]),
  data: z.object({ files: z.array(z.object({ originalName: z.string() })) }).optional(),
})

type NamedFile = [name: string, bytes: Uint8Array<ArrayBuffer>]

async function send(user: Caller | null, files: NamedFile[], { field = 'files', key = '' } = {}) {
  const form = new FormData()
  for (const [name, bytes] of files) form.append(field, new Blob([bytes]), name)
  const response = await fetch(`${app.url}/api/upload/submission`, {
    method: 'POST',
    body: form,
    headers: { ...(user && { authorization: user.id }), ...(key && { 'idempotency-key': key }) },
  })
  return { status: response.status, body: UploadResponse.parse(await response.json()) }
}
const findStoredNames = async (user: Caller) => {
  const rows = await fixture.db.select().from(uploads).where(eq(uploads.userId, user.id))
  return rows.map(({ originalName }) => originalName).toSorted()
}

describe('several files at once', () => {
  it('stores them in order', async () => {
    const user = await fixture.createMember()
    const { status, body } = await send(user, [
      ['b.pdf', pdf()],
      ['a.png', png()],
    ])
    expect(status).toBe(201)
    expect(body.data?.files.map(({ originalName }) => originalName)).toEqual(['b.pdf', 'a.png'])
    expect(await findStoredNames(user)).toEqual(['a.png', 'b.pdf'])
  })

  it('accepts one to five', async () => {
    const user = await fixture.createMember()
    const six: NamedFile[] = Array.from({ length: 6 }, (_, n) => [`${n}.pdf`, pdf()])
    expect((await send(user, six.slice(0, 5))).status).toBe(201)
    const tooMany = await send(user, six)
    expect([tooMany.status, tooMany.body.code, tooMany.body.errors[0]?.path]).toEqual([400, 'TOO_MANY_FILES', 'files'])
    const none = await send(user, [])
    expect([none.status, none.body.errors[0]?.path ?? 'files']).toEqual([400, 'files'])
    const other = await send(user, [['a.pdf', pdf()]], { field: 'file' })
    expect([other.status, other.body.errors[0]?.path]).toEqual([400, 'files'])
    expect(await findStoredNames(user)).toHaveLength(5)
  })

  it('stores all or none', async () => {
    const user = await fixture.createMember()
    const before = await listKeys(fixture)
    const { status } = await send(user, [
      ['a.pdf', pdf()],
      ['b.png', png()],
      ['c.html', html()],
    ])
    expect(status).toBe(415)
    expect(await findStoredNames(user)).toEqual([])
    expect(await listKeys(fixture)).toEqual(before)
  })

  it('counts them together against the daily quota', async () => {
    const user = await fixture.createMember()
    await fixture.db.insert(uploads).values(
      Array.from({ length: 18 }, (_, n) => ({
        key: `quota-${user.id}-${n}`,
        userId: user.id,
        originalName: 'x',
        size: 1,
        mimeType: 'image/png',
      })),
    )
    const before = await listKeys(fixture)
    const three: NamedFile[] = ['1.pdf', '2.pdf', '3.pdf'].map((name) => [name, pdf()])
    const { status, body } = await send(user, three)
    expect([status, body.code]).toEqual([429, 'TOO_MANY_UPLOADS'])
    expect(await findStoredNames(user)).toHaveLength(18)
    expect(await listKeys(fixture)).toEqual(before)
    expect((await send(user, three.slice(0, 2))).status).toBe(201)
  })

  it('takes one lock and one check of the quota for all of them, and prepared statements only', async () => {
    const pool = await openMeteredPool(fixture)
    const ctx = { ...fixture.contextOf(await fixture.createMember()), db: pool.db, deps: fixture.deps }
    const file: ReceivedFile = {
      originalName: 'a.pdf',
      type: 'application/pdf',
      size: pdf().length,
      hash: '',
      read: () => Readable.from([pdf()]),
      close: () => Promise.resolve(),
    }
    const store = (files: ReceivedFile[]) => pool.measure(() => storeFiles(ctx, files))
    expect(await store([file])).toEqual({ count: 6, unprepared: ['begin '] })
    expect(await store([file, file, file])).toEqual({ count: 8, unprepared: ['begin '] })
  })

  it('stores them once under one Idempotency-Key', async () => {
    const user = await fixture.createMember()
    const first = await send(user, [['a.pdf', pdf()]], { key: 'several-1' })
    expect(await send(user, [['a.pdf', pdf()]], { key: 'several-1' })).toEqual(first)
    expect((await send(user, [['b.pdf', pdf()]], { key: 'several-1' })).status).toBe(422)
    expect(await findStoredNames(user)).toEqual(['a.pdf'])
  })

  it('requires a signed-in user', async () => expect((await send(null, [['a.pdf', pdf()]])).status).toBe(401))
})
