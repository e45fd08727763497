import { buffer } from 'node:stream/consumers'
import { contract, limits, type StoredFile } from '@community/contract'
import { users } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { animatedGif, BLUE, decompressionBomb, photo, RED, transparentPng } from '../../test/sample-pictures.ts'
import { gif, html, jpeg, pdf, png, text, zip } from '../../test/sample-files.ts'
import { createProcedureBuilder } from '../../test/fixture.ts'
import { findUploads, listKeys, openUploadApp, openUploadFixture } from '../../test/upload-app.ts'
import type { Caller } from '../context.ts'
import { createS3Storage } from '../integrations/storage-s3.ts'
import { updateProfile } from '../users/update-profile.ts'
import { parseFileUrl } from './file-url.ts'
import { sweepOrphans } from './sweep-orphans.ts'

const { fixture, app } = await openUploadFixture()

const send = (user: Caller | null, bytes: Uint8Array<ArrayBuffer>, name = 'me.jpg', headers = {}) =>
  app.send(user, bytes, { endpoint: 'profile', name, headers })
async function uploadPicture(user: Caller, bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<StoredFile> {
  const { body } = await send(user, bytes, name)
  if (!body.success) throw new Error(body.message)
  return body.data.file
}
const avatarOf = async (user: Caller) =>
  (await fixture.db.select({ avatarUrl: users.avatarUrl }).from(users).where(eq(users.id, user.id)))[0]?.avatarUrl
const keyOf = (secureUrl: string) => parseFileUrl(fixture.deps.config.appUrl, secureUrl) ?? ''
async function storedBytes(secureUrl: string): Promise<Buffer> {
  const object = await fixture.storage.open(keyOf(secureUrl))
  if (!object) throw new Error('no object')
  // The server in this process has blocked all decoders except those it needs.
  sharp.unblock({ operation: ['VipsForeignLoadWebpBuffer'] })
  return buffer(object.body)
}
/** The approximate colours at the left, right, top and bottom edge. */
async function edgeColours(bytes: Buffer) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => ((data[(y * info.width + x) * info.channels] ?? 0) > 128 ? RED : BLUE)
  return { left: at(10, 256), right: at(500, 256), top: at(256, 10), bottom: at(256, 500) }
}

describe('a profile picture', () => {
  it('is re-encoded upright and square without metadata, and becomes the avatar', async () => {
    const user = await fixture.createMember()
    const sent = await photo()
    expect(Buffer.from(sent).includes('SentinelPhone')).toBe(true)
    const file = await uploadPicture(user, sent, 'Sara à Casablanca.jpg')
    expect(file).toMatchObject({ originalName: 'Sara à Casablanca.jpg', mimeType: 'image/webp' })
    expect(await avatarOf(user)).toBe(file.secureUrl)
    // Its URL is public and must not contain the original name.
    expect(file.secureUrl).toMatch(/\/avatar\.webp$/)
    const [row] = await findUploads(fixture, user)
    expect(row).toMatchObject({ id: file.id, originalName: 'avatar.webp', mimeType: 'image/webp', size: file.fileSize })
    expect(row?.attachedAt).not.toBeNull()

    const bytes = await storedBytes(file.secureUrl)
    expect(bytes.length).toBe(file.fileSize)
    const { format, width, height, exif, xmp, icc, iptc, orientation } = await sharp(bytes).metadata()
    expect({ format, width, height }).toEqual({ format: 'webp', width: 512, height: 512 })
    expect([exif, xmp, icc, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect(bytes.includes('SentinelPhone') || bytes.includes('sentinel note') || bytes.includes('GPS')).toBe(false)
    // Orientation 6 rotates the left edge to the top.
    expect(await edgeColours(bytes)).toMatchObject({ top: RED, bottom: BLUE })
  })

  it('is served publicly with its type', async () => {
    const { secureUrl, fileSize } = await uploadPicture(await fixture.createMember(), await photo(600, 400))
    const response = await fetch(`${app.url}${new URL(secureUrl).pathname}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="avatar\.webp"/)
    expect(response.headers.get('cache-control')).toContain('public')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await response.arrayBuffer()).byteLength).toBe(fileSize)
  })

  it('uses the first frame of an animation and keeps transparency', async () => {
    const still = await storedBytes(
      (await uploadPicture(await fixture.createMember(), await animatedGif(), 'a.gif')).secureUrl,
    )
    expect((await sharp(still).metadata()).pages ?? 1).toBe(1)
    expect(await edgeColours(still)).toEqual({ left: RED, right: RED, top: RED, bottom: RED })
    const transparent = await storedBytes(
      (await uploadPicture(await fixture.createMember(), await transparentPng(), 'a.png')).secureUrl,
    )
    expect(await sharp(transparent).metadata()).toMatchObject({ width: 512, height: 512, hasAlpha: true })
    expect((await sharp(transparent).stats()).isOpaque).toBe(false)
  })

  it('replaces the previous one, deleting its row and object', async () => {
    const user = await fixture.createMember()
    const first = await uploadPicture(user, await photo())
    const second = await uploadPicture(user, await transparentPng(), 'b.png')
    expect(await avatarOf(user)).toBe(second.secureUrl)
    expect((await findUploads(fixture, user)).map(({ id }) => id)).toEqual([second.id])
    const storedObjects = await listKeys(fixture)
    expect([storedObjects.includes(keyOf(first.secureUrl)), storedObjects.includes(keyOf(second.secureUrl))]).toEqual([
      false,
      true,
    ])
    expect((await fetch(`${app.url}${new URL(first.secureUrl).pathname}`)).status).toBe(404)
  })

  it('leaves one row and one object after five concurrent uploads', async () => {
    const user = await fixture.createMember()
    const before = new Set(await listKeys(fixture))
    const bytes = await transparentPng()
    const responses = await Promise.all(Array.from({ length: 5 }, () => send(user, bytes)))
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const [row, ...more] = await findUploads(fixture, user)
    expect(more).toEqual([])
    expect(keyOf((await avatarOf(user)) ?? '')).toBe(row?.key)
    expect((await listKeys(fixture)).filter((key) => !before.has(key))).toEqual([row?.key])
  })

  it('is shown in the team', async () => {
    const team = await fixture.createTeam()
    const { secureUrl } = await uploadPicture(team.chef, await photo())
    const { data } = await fixture.asTeamCaller(await fixture.createMember()).get({ id: team.id })
    expect('members' in data.team && data.team.members[0]?.avatarUrl).toBe(secureUrl)
  })

  it('is not swept as an orphan', async () => {
    const { secureUrl, id } = await uploadPicture(await fixture.createMember(), await photo())
    await fixture.clock.setAge('uploads', 'created_at', 259_200, { id })
    await sweepOrphans(app.deps)
    expect((await storedBytes(secureUrl)).length).toBeGreaterThan(0)
  })

  it('is deleted with its object when the profile sets it to null', async () => {
    const user = await fixture.createMember()
    const { secureUrl } = await uploadPicture(user, await photo())
    const procedureOf = createProcedureBuilder(fixture.db, user, app.deps)
    const update = procedureOf(contract.users.updateProfile, updateProfile)
    const { data } = await update({ avatarUrl: null, bio: 'Without a face.' })
    expect(data.user).toMatchObject({ avatarUrl: null, bio: 'Without a face.' })
    expect(await findUploads(fixture, user)).toEqual([])
    expect(await listKeys(fixture)).not.toContain(keyOf(secureUrl))
  })

  it('cannot be submitted as work', async () => {
    const team = await fixture.createTeam()
    const { secureUrl } = await uploadPicture(team.chef, await photo())
    const { id } = await fixture.createChallenge()
    const apply = fixture.as(team.chef).apply({ id, teamId: team.id, type: 'upload', content: secureUrl })
    await expect(apply).rejects.toThrow('upload the file first')
  })
})

const codeOf = (body: object) => ('code' in body ? body.code : undefined)

describe('an invalid picture', () => {
  it.each([
    ['a PDF', pdf(), 415, 'PICTURE_TYPE_REFUSED'],
    ['an archive', zip([{ name: 'a' }]), 415, 'PICTURE_TYPE_REFUSED'],
    ['an HTML page', html(), 415, 'FILE_TYPE_REFUSED'],
    ['an SVG', text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 415, 'FILE_TYPE_REFUSED'],
    ['a JPEG signature without a picture', jpeg(), 400, 'PICTURE_UNREADABLE'],
    ['a PNG signature without a picture', png(), 400, 'PICTURE_UNREADABLE'],
    ['a GIF signature without a picture', gif(), 400, 'PICTURE_UNREADABLE'],
    ['an empty file', text(''), 400, 'FILE_REQUIRED'],
  ] as const)('%s is rejected and leaves nothing', async (_what, bytes, status, code) => {
    const user = await fixture.createMember()
    const before = await listKeys(fixture)
    const response = await send(user, bytes)
    expect([response.status, codeOf(response.body)]).toEqual([status, code])
    expect([await findUploads(fixture, user), await avatarOf(user), await listKeys(fixture)]).toEqual([
      [],
      null,
      before,
    ])
  })

  it.each(['jpeg', 'png', 'gif'] as const)('rejects a truncated %s and keeps the previous picture', async (format) => {
    const user = await fixture.createMember()
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: RED, noise } })
      .toFormat(format)
      .toBuffer()
    const { secureUrl } = await uploadPicture(user, Uint8Array.from(whole))
    for (const share of [0.3, 0.7, 0.95]) {
      const response = await send(user, Uint8Array.from(whole.subarray(0, whole.length * share)))
      expect([share, response.status, codeOf(response.body)]).toEqual([share, 400, 'PICTURE_UNREADABLE'])
    }
    expect(await avatarOf(user)).toBe(secureUrl)
  })

  it('removes HTML and an archive that are appended to a picture', async () => {
    const polyglot = Buffer.concat([
      await transparentPng(),
      Buffer.from('<script>alert("sentinel")</script>PK\x03\x04'),
    ])
    const { secureUrl } = await uploadPicture(await fixture.createMember(), Uint8Array.from(polyglot), 'a.html')
    const bytes = await storedBytes(secureUrl)
    expect([bytes.includes('<script>'), bytes.includes('PK\x03\x04')]).toEqual([false, false])
    expect(secureUrl).not.toContain('html')
  })

  it('rejects a decompression bomb without allocating its pixels', async () => {
    await uploadPicture(await fixture.createMember(), await transparentPng())
    const user = await fixture.createMember()
    for (const [width, height] of [
      [50_000, 50_000],
      [6_400, 6_400],
      [2_000_000, 2_000],
    ] as const) {
      // Without its pixels: decoding them would fail with another error.
      const response = await send(user, decompressionBomb(width, height).subarray(0, 60), 'bomb.png')
      expect([response.status, codeOf(response.body)]).toEqual([413, 'PICTURE_TOO_LARGE'])
    }
    // One row of pixels, fewer than the limit: no square thumbnail can be cut from it.
    expect((await send(user, decompressionBomb(39_000_000, 1), 'line.png')).status).toBe(400)
  })

  it('is rejected from visitors and in another field', async () => {
    expect((await send(null, await transparentPng())).status).toBe(401)
    const other = await app.send(await fixture.createMember(), await transparentPng(), {
      endpoint: 'profile',
      field: 'file',
    })
    expect(other.body).toMatchObject({ code: 'FILE_REQUIRED', errors: [{ path: 'profile' }] })
  })
})

describe('uploads of pictures', () => {
  it('are limited to twenty a day, replaced pictures included', async () => {
    const user = await fixture.createMember()
    const bytes = await transparentPng()
    const statuses: number[] = []
    for (let sent = 0; sent < limits.UPLOADS_PER_DAY + 1; sent++) statuses.push((await send(user, bytes)).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(limits.UPLOADS_PER_DAY)
    const rejected = await send(user, bytes)
    expect(rejected.body).toMatchObject({ code: 'TOO_MANY_UPLOADS' })
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(80_000)
  })

  it('with one Idempotency-Key get the first response again, and are rejected for another picture', async () => {
    const user = await fixture.createMember()
    const key = { 'idempotency-key': 'once' }
    const bytes = await transparentPng()
    const first = await send(user, bytes, 'a.png', key)
    const again = await send(user, bytes, 'a.png', key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect((await send(user, await photo(60, 40), 'a.png', key)).body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    expect(await findUploads(fixture, user)).toHaveLength(1)
  })

  it('get 503 while the storage is unavailable, and the previous picture stays', async () => {
    const user = await fixture.createMember()
    const { secureUrl } = await uploadPicture(user, await transparentPng())
    const unreachableStorage = createS3Storage({
      endpoint: 'http://127.0.0.1:1',
      region: 'us-east-1',
      bucket: 'b',
      accessKeyId: 'k',
      secretAccessKey: 's',
      forcePathStyle: true,
    })
    const other = await openUploadApp(fixture, unreachableStorage)
    const response = await other.send(user, await transparentPng(), { endpoint: 'profile' })
    await other.close()
    expect(response.status).toBe(503)
    expect(await avatarOf(user)).toBe(secureUrl)
    expect((await storedBytes(secureUrl)).length).toBeGreaterThan(0)
  })

  it('of thirty people at once are processed, but those beyond the queue of twenty get 503', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => fixture.createMember()))
    const bytes = await photo(2400, 1800)
    const responses = await Promise.all(people.map((user) => send(user, bytes)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([])
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(20)
  })
})
