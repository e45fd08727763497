import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { APP_SECRET } from '@community/testing/server'
import { openTestServer } from '../../test/test-server.ts'
import { ConfigError, readConfig } from '../config.ts'
import { checkAdminPasswords } from './check-admin-passwords.ts'
import { PUBLISHED_PASSWORDS } from './published-values.ts'

const server = await openTestServer()
beforeEach(async () => {
  await server.sql`delete from users`
})
afterAll(() => server.close())

const PRODUCTION = { NODE_ENV: 'production', EMBEDDED: '1', APP_SECRET }
const check = (settings: Record<string, string>) =>
  checkAdminPasswords({ ...server.deps, config: readConfig(settings) })
const createUser = async (role: 'admin' | 'member', password: string | null) => {
  const hash = password && (await server.deps.passwords.hash(password))
  const [row] = await server.sql<{ id: string }[]>`
    insert into users (name, email, role, password_hash)
    values ('Lalla', ${`${role}-${password}@example.ma`.toLowerCase()}, ${role}, ${hash}) returning id`
  return row?.id ?? ''
}

describe('an administrator with a published password', () => {
  it.each(PUBLISHED_PASSWORDS)('stops an exposed start: %s', async (password) => {
    await createUser('admin', 'Majorelle-2026')
    const id = await createUser('admin', password)
    for (const exposed of [PRODUCTION, { HOST: '0.0.0.0' }, { APP_URL: 'https://community.example' }]) {
      const rejected = await check(exposed).catch((error: unknown) => error)
      expect(rejected).toBeInstanceOf(ConfigError)
      const { message } = rejected as ConfigError
      expect(message).toMatch(new RegExp(`^ADMIN_EMAIL, ADMIN_PASSWORD: .*${id} .*docs/troubleshooting.md`))
      expect(message).not.toContain(password)
    }
    await check({ NODE_ENV: 'development' })
  })

  it('is repaired by the SQL of docs/troubleshooting.md', async () => {
    const id = await createUser('admin', 'Zellige-2026')
    await server.sql`update users set role = 'member', password_hash = null where id = ${id}`
    await check(PRODUCTION)
  })
})

it('accepts other passwords, no password, and members', async () => {
  await createUser('admin', 'Majorelle-2026')
  await createUser('admin', null)
  await createUser('member', 'Demo-2026')
  await check(PRODUCTION)
})
