import { fileForm } from '@community/testing'
import { afterAll, expect, it } from 'vitest'
import { pdf } from './sample-files.ts'
import { openTestServer } from './test-server.ts'

const APP_URL = 'https://new.example'
const OLD_URL = 'https://old.example'
const PREVIEW = {
  color: '#112233',
  pageCount: 1,
  thumbnails: [{ name: '480.webp', width: 480, height: 640, type: 'image/webp', size: 1000 }],
}

const server = await openTestServer({ APP_URL })
const chef = await server.createMember()
afterAll(() => server.close())

async function upload(): Promise<{ id: string; pathname: string }> {
  const { body } = await server.rest(chef)('POST /upload/single', fileForm('file', pdf(), 'rapport.pdf'))
  const { file } = body.data
  return { id: file.id, pathname: new URL(file.secureUrl).pathname }
}

it('moves the URLs of submitted files and their thumbnails, but no links to files of others', async () => {
  const { id: teamId } = await server.createTeam(chef)
  const { id: challengeId } = await server.createChallenge(await server.createAdmin())
  const { id: uploadId, pathname } = await upload()
  await server.sql`update uploads set attached_at = now(), preview = ${JSON.stringify(PREVIEW)} where id = ${uploadId}`
  const submit = async (values: { type: string; content: string; upload_id?: string }): Promise<string> => {
    const row = { team_id: teamId, challenge_id: challengeId, submitted_by: chef.id, ...values }
    const [submission] = await server.sql<{ id: string }[]>`insert into submissions ${server.sql(row)} returning id`
    return submission?.id ?? ''
  }
  const ids = [
    await submit({ type: 'upload', content: OLD_URL + pathname, upload_id: uploadId }),
    await submit({ type: 'link', content: OLD_URL + pathname }),
  ]
  const read = async (id: string) => (await server.rest(chef)(`GET /submissions/${id}`)).body.data.submission
  const [file, link] = [await read(ids[0] ?? ''), await read(ids[1] ?? '')]
  expect(file.content).toBe(APP_URL + pathname)
  expect(file.preview.thumbnails[0].url).toBe(new URL('thumbnails/480.webp', APP_URL + pathname).href)
  expect(link.content).toBe(OLD_URL + pathname)
  const list = (await server.rest(chef)(`GET /teams/${teamId}/submissions`)).body.data.submissions
  expect(list.map(({ content }: { content: string }) => new URL(content).origin).toSorted()).toEqual([APP_URL, OLD_URL])
})

it('moves the URLs of profile pictures', async () => {
  const { pathname } = await upload()
  await server.sql`update users set avatar_url = ${OLD_URL + pathname} where id = ${chef.id}`
  const { id } = await server.createTeam(chef)
  const [profile, team, publicAccount, accounts] = await Promise.all([
    server.rest(chef)('GET /users/profile'),
    server.rest(chef)(`GET /teams/${id}`),
    server.rest(await server.createMember())(`GET /users/${chef.id}`),
    server.rest(await server.createAdmin())('GET /users'),
  ])
  const urls = [
    profile.body.data.user.avatarUrl,
    team.body.data.team.members[0].avatarUrl,
    publicAccount.body.data.user.avatarUrl,
    accounts.body.data.users.find(({ id: userId }: { id: string }) => userId === chef.id).avatarUrl,
  ]
  expect(urls).toEqual(Array.from({ length: 4 }, () => APP_URL + pathname))
})
