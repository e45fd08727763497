import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { limits } from '@community/contract'
import { connect, type Connection } from '@community/db'
import { fileForm, PASSWORD } from '@community/testing'
import { createTestDatabase, type TestDatabase } from '@community/testing/database'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Deps } from '../src/context.ts'
import { createArchiveStream } from '../src/data-export/archive/write-archive.ts'
import { createPrimaryRead } from '../src/database/replica.ts'
import { createFileStorage } from '../src/integrations/storage-files.ts'
import { keyPrefixOfDay } from '../src/uploads/file-url.ts'
import { readZip } from './read-zip.ts'
import { pdf } from './sample-files.ts'
import { transparentPng } from './sample-pictures.ts'
import { dataOf, openTestServer, type RestClient, type TestServer } from './test-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Moves the files to keys of five days ago, so that a sweep lists them. */
async function ageFiles({ sql, deps: { storage } }: TestServer): Promise<void> {
  const day = keyPrefixOfDay(new Date(Date.now() - 5 * limits.DAY * 1000))
  for (const { key } of await sql<{ key: string }[]>`select key from uploads`) {
    const old = day + key.slice(day.length)
    const object = await storage.open(key)
    if (!object) throw new Error(`${key} is not stored`)
    await storage.put(old, object.body, object)
    await storage.remove(key)
    await sql`update uploads set key = ${old} where key = ${key}`
    await sql`update users set avatar_url = replace(avatar_url, ${key}, ${old})`
    await sql`update submissions set content = replace(content, ${key}, ${old})`
  }
}

/** Opens a server with rows in every table of the archive, and two files whose keys are in the days that a sweep lists. */
export async function openFilledServer(): Promise<TestServer> {
  const server = await openTestServer()
  const [admin, chef, mate, banned] = [
    await server.createAdmin(),
    await server.createMember('زينب الشرايبي'),
    await server.createMember('Line\u2028separator'),
    await server.createMember('Banned'),
  ]
  const team = await server.createTeam(chef)
  for (const user of [mate, banned]) await server.join(team, user)
  const picture = fileForm('profile', await transparentPng(), 'me.png')
  await dataOf(server.rest(chef)('POST /upload/profile', picture))
  const challenge = await server.createChallenge(admin)
  const { file } = await dataOf(server.rest(chef)('POST /upload/single', fileForm('file', pdf(20_000), 'work.pdf')))
  const work = { teamId: team.id, type: 'upload', content: file.secureUrl }
  const { submission } = await dataOf(server.rest(chef)(`POST /challenges/${challenge.id}/apply`, work))
  const write: RestClient = (...request) => dataOf(server.rest(admin)(...request))
  await write(`POST /submissions/${submission.id}/evaluate`, { status: 'approved', score: 80, feedback: 'Good' })
  await write('POST /admin/warnings', { userId: mate.id, password: PASSWORD, reason: 'Be kind, please' })
  await write('POST /admin/ban', { userId: banned.id, password: PASSWORD, reason: 'Not kind at all' })
  await write('PUT /admin/pages/terms', { password: PASSWORD, language: 'en', markdown: '# Rules' })
  await write('PUT /admin/settings/team-creation', { password: PASSWORD, enabled: false })
  await server.sql`insert into identities (issuer, subject, user_id) values ('https://id.example', 'x', ${mate.id})`
  const preferences = [{ kind: 'team.member.joined', app: true, mail: 'off', push: false }]
  await server.rest(mate)('PUT /notifications/preferences', { preferences, settings: { digestHour: 9 } })
  const later = await server.createChallenge(admin)
  await server.rest(mate)(`POST /challenges/${later.id}/reminder`, { teamId: team.id })
  await server.sql`insert into known_devices (user_id, browser, system) values (${mate.id}, 'Firefox', 'Linux')`
  await server.sql`insert into mail_bounces (user_id, email, failures) values (${mate.id}, 'mate@gone.example', 1)`
  await server.sql`insert into announcements (title, body, audience, publish_at, started_at, sent_at, recipients)
    values ('Sent', 'Welcome', 'everyone', now(), now(), now(), 3), ('Scheduled', 'Soon', 'chefs', now() + interval '1 day', null, null, 0)`
  await ageFiles(server)
  return server
}

export interface EmptyProduct {
  database: TestDatabase
  connection: Connection
  folder: string
  deps: Pick<Deps, 'db' | 'readExport' | 'storage' | 'config'>
  countUsers(): Promise<number>
  close(): Promise<void>
}

/** Opens a migrated database and an empty storage. */
export async function openEmptyProduct(config: Deps['config']): Promise<EmptyProduct> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'community-import-'))
  const connection = connect(database.url, { max: 2, hasAnswerTimeout: false })
  const storage = createFileStorage(path.join(folder, 'files'))
  return {
    database,
    connection,
    folder,
    deps: { db: connection.db, readExport: createPrimaryRead(connection.db), storage, config },
    countUsers: async () => (await connection.sql`select 1 from users`).length,
    async close() {
      await connection.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Writes an archive to `file`. Returns its entries, the manifest without its time. */
export async function writeArchive(file: string, deps: EmptyProduct['deps']): Promise<Record<string, string>> {
  await pipeline(createArchiveStream(deps), createWriteStream(file))
  return entriesOf(file)
}

export async function entriesOf(file: string): Promise<Record<string, string>> {
  const entries = Object.fromEntries(
    Array.from(await readZip(await readFile(file)), ([name, bytes]) => [name, bytes.toString('latin1')]),
  )
  const { exportedAt: _time, ...manifest } = JSON.parse(entries['manifest.json'] ?? '{}') as Record<string, unknown>
  return { ...entries, 'manifest.json': JSON.stringify(manifest) }
}

interface ArchiveFixture {
  folder: string
  source: TestServer
  /** The path of an archive of `source`. */
  file: string
  /** Its entries. */
  exported: Record<string, string>
}

/** Exports a filled server before the file's tests, and opens an empty product before each of them. */
export function openArchiveFixture(): { archive: ArchiveFixture; target: EmptyProduct } {
  const folder = temporaryFolder()
  // Casts: the hooks run before the tests.
  const archive = { folder, file: path.join(folder, 'archive.zip') } as ArchiveFixture
  const target = {} as EmptyProduct
  beforeAll(async () => {
    archive.source = await openFilledServer()
    archive.exported = await writeArchive(archive.file, archive.source.deps)
  })
  afterAll(() => archive.source.close())
  beforeEach(async () => {
    Object.assign(target, await openEmptyProduct(archive.source.deps.config))
  })
  afterEach(() => target.close())
  return { archive, target }
}
