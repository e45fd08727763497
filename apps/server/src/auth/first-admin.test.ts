import { ADVISORY_LOCKS } from '@community/db'
import { PASSWORD } from '@community/testing'
import { APP_SECRET } from '@community/testing/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../../test/test-server.ts'
import { readConfig } from '../config.ts'
import { ensureFirstAdmin } from './first-admin.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer()
})
afterEach(() => server.close())

const SETTINGS = {
  NODE_ENV: 'test',
  ADMIN_EMAIL: 'Boss@Example.ma',
  ADMIN_PASSWORD: 'Atlas-9-Lions',
  ADMIN_NAME: 'Lalla Boss',
}
const ensure = (settings: Record<string, string> = SETTINGS) =>
  ensureFirstAdmin({ ...server.deps, config: readConfig({ DATA_DIR: server.deps.config.dataDir, ...settings }) })
const admins = () => server.sql`select name, email from users where role = 'admin'`
const signIn = (email: string, password: string) => server.rest()('POST /auth/login', { email, password })

it('is created from the settings and can sign in', async () => {
  expect(await ensure()).toEqual({ email: 'boss@example.ma' })
  expect(await admins()).toEqual([{ name: 'Lalla Boss', email: 'boss@example.ma' }])
  const { body } = await signIn('boss@example.ma', 'Atlas-9-Lions')
  expect(body.data.user).toMatchObject({ role: 'admin', name: 'Lalla Boss' })
})

it('is created once by concurrent server starts, even with different settings', async () => {
  await Promise.all(Array.from({ length: 8 }, () => ensure()))
  expect(await admins()).toHaveLength(1)
  await server.sql`delete from users`

  const waiting = async () =>
    (
      await server.sql`
    select pid from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`
    ).length
  const starts = await server.sql.begin(async (first) => {
    const [key, subkey] = ADVISORY_LOCKS.firstAdmin
    await first`select pg_advisory_xact_lock(${key}, ${subkey})`
    const running = ['a', 'b'].map((name) => ensure({ ...SETTINGS, ADMIN_EMAIL: `${name}@example.ma` }))
    await expect.poll(waiting, { timeout: 1900 }).toBe(2)
    return { running }
  })
  const results = await Promise.all(starts.running)
  const created = await admins()
  expect(created).toHaveLength(1)
  expect(results.filter(Boolean)).toEqual([{ email: created[0]?.email }])
})

it('changes neither another administrator nor a changed password', async () => {
  await ensure()
  await server.sql`update users set password_hash = ${await server.deps.passwords.hash(PASSWORD)} where role = 'admin'`
  expect(await ensure()).toEqual({ email: 'boss@example.ma' })
  expect((await signIn('boss@example.ma', PASSWORD)).status).toBe(200)
  expect(await ensure({ ...SETTINGS, ADMIN_EMAIL: 'second@example.ma' })).toBeNull()
  expect(await admins()).toHaveLength(1)
})

it('returns the default password of a development machine until it is changed', async () => {
  const development = { NODE_ENV: 'development' }
  const result = await ensure(development)
  expect(result?.password).toBeTruthy()
  expect((await signIn(result?.email ?? '', result?.password ?? '')).status).toBe(200)
  expect(await ensure(development)).toEqual(result)
  await server.sql`update users set password_hash = ${await server.deps.passwords.hash('Riad-2026x')} where role = 'admin'`
  expect(await ensure(development)).toEqual({ email: result?.email })
})

it('promotes an existing member with the address and ends their sessions', async () => {
  const member = await server.createMember()
  expect(await ensure({ ...SETTINGS, ADMIN_EMAIL: member.email })).toEqual({ email: member.email })
  expect((await server.rest(member)('GET /users/profile')).status).toBe(401)
  expect((await server.rest()('POST /auth/refresh', { refreshToken: member.refreshToken })).status).toBe(401)
  expect((await signIn(member.email, PASSWORD)).status).toBe(401)
  expect((await signIn(member.email, 'Atlas-9-Lions')).body.data.user).toMatchObject({ id: member.id, role: 'admin' })
})

describe('without settings on a server that others can reach', () => {
  it.each<Record<string, string>>([
    { NODE_ENV: 'production', EMBEDDED: '1', APP_SECRET },
    { NODE_ENV: 'development', HOST: '0.0.0.0' },
    { NODE_ENV: 'development', APP_URL: 'https://community.example' },
  ])('fails the start and names them while there is no administrator: %o', async (settings) => {
    await expect(ensure(settings)).rejects.toThrow(/ADMIN_EMAIL is missing[^]*ADMIN_PASSWORD is missing/)
    expect(await admins()).toEqual([])
    await server.createAdmin()
    expect(await ensure(settings)).toBeNull()
  })
})
