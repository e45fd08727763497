import pino from 'pino'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { createFileStorage } from '../integrations/storage-files.ts'
import { removeAllObjects, removeObjects } from './remove-objects.ts'

const log = pino({ level: 'silent' })
const root = temporaryFolder()

it('deletes each object once, eight at a time, and continues after a failure', async () => {
  const removed: string[] = []
  let running = 0
  let maxRunning = 0
  let resolveEightStarted: () => void = () => {}
  const eightStarted = new Promise<void>((resolve) => (resolveEightStarted = resolve))
  const remove = async (key: string) => {
    maxRunning = Math.max(maxRunning, ++running)
    if (running === 8) resolveEightStarted()
    await eightStarted
    running--
    if (key === '5') throw new Error('away')
    removed.push(key)
  }
  const keys = Array.from({ length: 30 }, (_, index) => String(index))
  await removeObjects({ storage: { ...createFileStorage(root), remove }, log }, keys)
  expect(maxRunning).toBe(8)
  expect(removed.toSorted()).toEqual(keys.filter((key) => key !== '5').toSorted())
})

it('begins no deletion once the process stops', async () => {
  const stopping = new AbortController()
  let tried = 0
  const remove = async () => {
    if (++tried === 3) stopping.abort()
  }
  const keys = Array.from({ length: 30 }, (_, index) => String(index))
  await removeAllObjects({ storage: { ...createFileStorage(root), remove }, log, stopping: stopping.signal }, keys)
  expect(tried).toBeLessThanOrEqual(8)
})

it('does nothing without keys', async () => {
  await expect(removeObjects({ storage: createFileStorage(root), log }, [])).resolves.toBeUndefined()
})

it('does not wait for a storage that does not respond', async () => {
  const storage = { ...createFileStorage(root), remove: () => new Promise<void>(() => {}) }
  const startedAt = performance.now()
  await removeObjects({ storage, log }, ['a', 'b'])
  expect(performance.now() - startedAt).toBeLessThan(4000)
})
