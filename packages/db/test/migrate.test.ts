import { readdirSync } from 'node:fs'
import postgres from 'postgres'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { MIGRATIONS_DIR, migrate } from '../src/index.ts'
import { serverUrlOf } from '../src/testing.ts'

const server = inject('testServer').url
const admin = postgres(server, { max: 1, onnotice: () => {} })
afterAll(() => admin.end())

async function onEmptyDatabase<T>(name: string, work: (url: string) => Promise<T>): Promise<T> {
  await admin`create database ${admin(name)}`
  try {
    return await work(serverUrlOf(server, name))
  } finally {
    await admin`drop database ${admin(name)} with (force)`
  }
}

const applied = async (url: string): Promise<number> => {
  const sql = postgres(url, { max: 1 })
  try {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from drizzle.__drizzle_migrations`
    return row?.n ?? 0
  } finally {
    await sql.end()
  }
}

describe('migrations', () => {
  it('are named after what they change', () => {
    const files = readdirSync(MIGRATIONS_DIR).filter((file) => file.endsWith('.sql'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(file).toMatch(/^\d{4}_[a-z]+(?:_[a-z]+)*\.sql$/)
  })

  it('run once when eight servers start at once, again and again', async () => {
    const count = readdirSync(MIGRATIONS_DIR).filter((file) => file.endsWith('.sql')).length
    for (let round = 0; round < 5; round++)
      await onEmptyDatabase(`migrate_${round}`, async (url) => {
        const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => migrate(url)))
        expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
        expect(await applied(url)).toBe(count)
      })
  })

  it('leave the audit log unchangeable', () =>
    onEmptyDatabase('migrate_audit', async (url) => {
      await migrate(url)
      const sql = postgres(url, { max: 1 })
      try {
        await sql`insert into audit_log (actor_name, action) values ('Boss', 'admin.test')`
        await expect(sql`update audit_log set action = 'admin.other'`).rejects.toThrow('append-only')
        await expect(sql`delete from audit_log`).rejects.toThrow('append-only')
      } finally {
        await sql.end()
      }
    }))
})
