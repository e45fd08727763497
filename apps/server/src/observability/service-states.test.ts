import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Deps } from '../context.ts'
import { checkServices } from './service-states.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Services that count their checks; some may be down or never respond. */
function services() {
  const checkCounts = { database: 0, storage: 0, mail: 0 }
  const down = new Set<keyof typeof checkCounts>()
  const silent = new Set<keyof typeof checkCounts>()
  const run = async (service: keyof typeof checkCounts) => {
    checkCounts[service]++
    if (down.has(service)) throw new Error('down')
    if (silent.has(service)) await new Promise(() => {})
  }
  const deps = {
    healthDb: { execute: () => run('database').then(() => [{ reads: 'off' }]) },
    storage: { check: () => run('storage') },
    mailer: { check: () => run('mail') },
  } as unknown as Pick<Deps, 'healthDb' | 'storage' | 'mailer'>
  return { checkCounts, down, silent, check: () => checkServices(deps) }
}
const up = { database: 'up', storage: 'up', mail: 'up' }

it('shares one check among concurrent callers, and checks the mail server once a minute', async () => {
  const { checkCounts, check } = services()
  const states = await Promise.all(Array.from({ length: 100 }, check))
  for (const state of states) expect(state).toEqual(up)
  expect(checkCounts).toEqual({ database: 1, storage: 1, mail: 1 })
  for (let second = 0; second < 60; second++) {
    for (let n = 0; n < 5; n++) expect(await check()).toEqual(up)
    vi.advanceTimersByTime(1000)
  }
  await check()
  expect(checkCounts).toEqual({ database: 302, storage: 302, mail: 2 })
})

it('reports changes of the database and storage at once, of the mail server after its cache TTL', async () => {
  const { checkCounts, down, check } = services()
  expect(await check()).toEqual(up)
  for (const service of ['database', 'storage', 'mail'] as const) down.add(service)
  expect(await check()).toEqual({ database: 'down', storage: 'down', mail: 'up' })
  vi.advanceTimersByTime(60_000)
  expect(await check()).toEqual({ database: 'down', storage: 'down', mail: 'down' })
  down.clear()
  for (let n = 0; n < 20; n++) expect(await check()).toEqual({ ...up, mail: 'down' })
  // A failed sign-in to the mail server is cached too.
  expect(checkCounts.mail).toBe(2)
  vi.advanceTimersByTime(15_000)
  expect(await check()).toEqual(up)
})

it('reports a service that does not respond as down to all callers, after one check', async () => {
  const { checkCounts, silent, check } = services()
  silent.add('database')
  const waiting = [check(), check(), check()]
  await vi.advanceTimersByTimeAsync(2000)
  for (const state of await Promise.all(waiting)) expect(state).toEqual({ ...up, database: 'down' })
  expect(checkCounts.database).toBe(1)
  silent.clear()
  expect(await check()).toEqual(up)
})
