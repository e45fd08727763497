import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Deps } from '../context.ts'
import { checkServices } from './service-states.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Services that count how often they are asked; some may be away, or never answer. */
function services() {
  const asked = { database: 0, storage: 0, mail: 0 }
  const away = new Set<keyof typeof asked>()
  const silent = new Set<keyof typeof asked>()
  const ask = async (service: keyof typeof asked) => {
    asked[service]++
    if (away.has(service)) throw new Error('away')
    if (silent.has(service)) await new Promise(() => {})
  }
  const deps = {
    healthDb: { execute: () => ask('database').then(() => [{ reads: 'off' }]) },
    storage: { check: () => ask('storage') },
    mailer: { check: () => ask('mail') },
  } as unknown as Pick<Deps, 'healthDb' | 'storage' | 'mailer'>
  return { asked, away, silent, look: () => checkServices(deps) }
}
const up = { database: 'up', storage: 'up', mail: 'up' }

it('all who ask together are answered by one look, and the mail server is asked once a minute', async () => {
  const { asked, look } = services()
  const answers = await Promise.all(Array.from({ length: 100 }, look))
  for (const answer of answers) expect(answer).toEqual(up)
  expect(asked).toEqual({ database: 1, storage: 1, mail: 1 })
  for (let second = 0; second < 60; second++) {
    for (let n = 0; n < 5; n++) expect(await look()).toEqual(up)
    vi.advanceTimersByTime(1000)
  }
  await look()
  expect(asked).toEqual({ database: 302, storage: 302, mail: 2 })
})

it('what goes or returns is told: of database and storage at once, of the mail server within its time', async () => {
  const { asked, away, look } = services()
  expect(await look()).toEqual(up)
  for (const service of ['database', 'storage', 'mail'] as const) away.add(service)
  expect(await look()).toEqual({ database: 'down', storage: 'down', mail: 'up' })
  vi.advanceTimersByTime(60_000)
  expect(await look()).toEqual({ database: 'down', storage: 'down', mail: 'down' })
  away.clear()
  for (let n = 0; n < 20; n++) expect(await look()).toEqual({ ...up, mail: 'down' })
  // A refused sign-in is not tried again for each who asks.
  expect(asked.mail).toBe(2)
  vi.advanceTimersByTime(15_000)
  expect(await look()).toEqual(up)
})

it('a service that is silent is down for all who wait, and is asked by one of them', async () => {
  const { asked, silent, look } = services()
  silent.add('database')
  const waiting = [look(), look(), look()]
  await vi.advanceTimersByTimeAsync(2000)
  for (const answer of await Promise.all(waiting)) expect(answer).toEqual({ ...up, database: 'down' })
  expect(asked.database).toBe(1)
  silent.clear()
  expect(await look()).toEqual(up)
})
