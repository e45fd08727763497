import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { fileForm, PASSWORD } from '@community/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readZip } from '../../test/read-zip.ts'
import { pdf } from '../../test/sample-files.ts'
import { dataOf, openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { createFileStorage } from '../integrations/storage-files.ts'
import { CSV_TABLE_NAMES, CSV_TABLES, type CsvTableName } from './csv-tables.ts'

let server: TestServer
const folder = temporaryFolder()
let origin: string
let admin: TestUser
/** Called before a stored object is opened. */
let beforeOpen = async () => {}
beforeAll(async () => {
  const storage = createFileStorage(folder)
  const open: typeof storage.open = async (...object) => {
    await beforeOpen()
    return storage.open(...object)
  }
  server = await openTestServer({}, { storage: { ...storage, open } })
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await server.createAdmin()
})
afterAll(() => server.close())

const request = (name: CsvTableName, { token } = admin) =>
  fetch(`${origin}/api/admin/export/${name}.csv`, { headers: { authorization: `Bearer ${token}` } })

/** Cells of lines whose cells have no line breaks. */
const parse = (text: string) =>
  text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
        quoted === undefined ? plain : quoted.replaceAll('""', '"'),
      ),
    )

async function download(name: CsvTableName) {
  const response = await request(name)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  // `response.text()` would remove the byte order mark.
  const text = Buffer.from(await response.arrayBuffer()).toString()
  const [header = [], ...lines] = parse(text)
  return {
    response,
    text,
    header,
    rows: lines.map((cells) => Object.fromEntries(header.map((h, at) => [h, cells[at]]))),
  }
}

describe('GET /admin/export/{table}.csv', () => {
  it.each(CSV_TABLE_NAMES)('has the columns of %s after a byte order mark', async (name) => {
    const { response, text, header } = await download(name)
    expect(text.charCodeAt(0)).toBe(0xfeff)
    expect(header).toEqual(Object.keys(CSV_TABLES[name].columns))
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; .*-${name}-\\d{4}-\\d\\d-\\d\\d.csv"`),
    )
  })

  it('has a row per member, and one for a team without any', async () => {
    const [chef, mate] = [await server.createMember('=HYPERLINK("x")'), await server.createMember('ياسين العلمي')]
    const team = await server.createTeam(chef, { name: 'فريق, الأطلس' })
    await server.join(team, mate)
    const empty = await server.createTeam(chef, { name: 'Empty' })
    await server.rest(admin)(`DELETE /admin/teams/${empty.id}/members/${chef.id}`, {
      reason: 'Left',
      password: PASSWORD,
    })
    const rows = (await download('teams')).rows
    expect(rows.filter(({ team_id: id }) => id === team.id)).toMatchObject([
      { team: 'فريق, الأطلس', members: '2', member_id: chef.id, is_chef: 'true' },
      { member_id: mate.id, is_chef: 'false' },
    ])
    await server.sql`update team_members set name = '=1+1' where user_id = ${chef.id}`
    const [changed] = (await download('teams')).rows.filter(({ member_id: id }) => id === chef.id)
    expect(changed?.member).toBe("'=1+1")
  })

  it('ranks teams as the leaderboard does, and has each submission', async () => {
    const chef = await server.createMember('Zineb')
    const challenge = await server.createChallenge(admin, { title: 'Sorting' })
    const teams = [await server.createTeam(chef), await server.createTeam(await server.createMember())]
    const form = { teamId: teams[0]?.id, type: 'link', content: 'https://example.com/work' }
    const sent = await server.rest(chef)(`POST /challenges/${challenge.id}/apply`, form)
    expect(sent.status).toBe(201)
    await server.sql`update submissions set status = 'approved', score = 90, points = 90, evaluated_at = now(),
      feedback = ${'Two\nlines'} where team_id = ${teams[0]?.id ?? ''}`
    await server.sql`update teams set points = 90, points_reached_at = now() where id = ${teams[0]?.id ?? ''}`
    const { rows } = await download('leaderboard')
    expect(rows[0]).toMatchObject({ rank: '1', team_id: teams[0]?.id, points: '90' })
    expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_row, at) => `${at + 1}`))
    const { text } = await download('submissions')
    expect(text).toContain(`,Sorting,${teams[0]?.id},`)
    expect(text).toContain('"Two\nlines"')
  })

  it('writes each download to the audit log, which has it', async () => {
    await download('teams')
    const { rows } = await download('audit')
    expect(rows[0]).toMatchObject({
      administrator_id: admin.id,
      action: 'admin.exportCsv',
      details: '{"name":"audit"}',
    })
    expect(rows[1]).toMatchObject({ details: '{"name":"teams"}' })
  })

  it('reads more rows than a round trip returns', async () => {
    await server.sql`insert into teams (name, name_key, description, is_active) select 'No. ' || n, 'no. ' || n, '', false from generate_series(1, 1203) n`
    const names = (await download('teams')).rows.map(({ team }) => team)
    expect(names.filter((name) => name?.startsWith('No. ')).length).toBe(1203)
    expect(new Set(names.filter((name) => name?.startsWith('No. '))).size).toBe(1203)
  })

  it('admits an access token with the scope admin only', async () => {
    const create = async (scopes: string[]) => {
      const form = { name: scopes.join(), scopes, expiresInDays: 7, currentPassword: PASSWORD }
      return (await server.rest(admin)('POST /users/tokens', form)).body.data.secret as string
    }
    const admitted = await request('audit', { ...admin, token: await create(['read', 'admin']) })
    expect([admitted.status, (await admitted.text()).length > 0]).toEqual([200, true])
    const refused = await request('audit', { ...admin, token: await create(['read']) })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'TOKEN_SCOPE_MISSING'])
  })

  it('has everything as an archive, for the password only', async () => {
    const post = (password?: string) =>
      fetch(`${origin}/api/admin/export`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ password }),
      })
    expect((await server.rest(admin)('POST /admin/export', {})).body.code).toBe('PASSWORD_REQUIRED')
    expect((await server.rest(admin)('POST /admin/export', { password: 'Wrong-2026' })).body.code).toBe(
      'WRONG_PASSWORD',
    )
    expect((await server.rest(admin)('POST /admin/export', { nickname: 'Atlas' })).body).toMatchObject({
      code: 'VALIDATION',
      errors: [{ path: 'nickname', code: 'UNKNOWN_FIELD' }],
    })
    const response = await post(PASSWORD)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const files = await readZip(Buffer.from(await response.arrayBuffer()))
    expect(files.get('tables/users.jsonl')?.toString()).toContain(admin.email)
    expect((await download('audit')).rows[1]).toMatchObject({ action: 'admin.exportAll', result: 'done' })
  })

  it('answers 503 with the reason while the schema version of the database differs', async () => {
    await server.sql`update drizzle.__drizzle_migrations set created_at = created_at + 1`
    const response = server.rest(admin)('POST /admin/export', { password: PASSWORD })
    await Promise.allSettled([response])
    await server.sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`
    const { status, body } = await response
    expect([status, body.code, body.message]).toEqual([
      503,
      'UNAVAILABLE',
      'This server and the database are of different versions. Try again after the upgrade.',
    ])
    expect(body.cooldown).toBe(60)
  })

  it('is available while the files of an archive are downloaded', async () => {
    await dataOf(server.rest(await server.createMember())('POST /upload/single', fileForm('file', pdf(), 'work.pdf')))
    let [finish, isOpening] = [() => {}, false]
    const finished = new Promise<void>((resolve) => (finish = resolve))
    beforeOpen = () => {
      isOpening = true
      return finished
    }
    const response = await fetch(`${origin}/api/admin/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const archive = response.arrayBuffer()
    await expect.poll(() => isOpening).toBe(true)
    expect((await download('teams')).header).toContain('team')
    const second = await server.rest(admin)('POST /admin/export', { password: PASSWORD })
    expect(second.body.code).toBe('TOO_MANY_REQUESTS')
    finish()
    expect([...(await readZip(Buffer.from(await archive))).keys()].at(-1)).toBe('manifest.json')
  })

  it('is one at a time, and ends its transaction when the client disconnects', async () => {
    await server.sql`insert into audit_log (actor_name, action, details) select 'x', 'x', jsonb_build_object('t', repeat('x', 9000))
      from generate_series(1, 3000)`
    const headers = { authorization: `Bearer ${admin.token}` }
    const first = get(`${origin}/api/admin/export/audit.csv`, { headers, agent: false })
    const [response] = (await once(first, 'response')) as [IncomingMessage]
    response.pause()
    expect((await server.rest(admin)('GET /admin/export/teams.csv')).body.code).toBe('TOO_MANY_REQUESTS')
    const snapshots = () =>
      server.sql`select 1 from pg_stat_activity where datname = current_database() and query like 'fetch % from exported_rows' and state <> 'idle'`
    expect((await snapshots()).length).toBe(1)
    first.destroy()
    await expect.poll(async () => (await snapshots()).length).toBe(0)
    expect((await download('teams')).header).toContain('team')
  })
})
