import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@community/testing/database'
import { BUNDLE_PATHS, freePort } from '@community/testing/server'
import pino from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { startServer } from './serve.ts'

const building = vi.hoisted(() => {
  const resolvers = () => {
    let resolve = () => {}
    const promise = new Promise<void>((settle) => {
      resolve = settle
    })
    return { promise, resolve }
  }
  return { started: resolvers(), allowed: resolvers() }
})
vi.mock('../app.ts', async (importOriginal) => {
  const original = await importOriginal<{ buildApp: typeof buildApp }>()
  return {
    async buildApp(...options: Parameters<typeof buildApp>) {
      building.started.resolve()
      await building.allowed.promise
      return original.buildApp(...options)
    },
  }
})

it('closes what is opened after the stop', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const folder = await mkdtemp(path.join(os.tmpdir(), 'community-stop-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const config = readConfig({
    ...BUNDLE_PATHS,
    ...database.settings,
    NODE_ENV: 'development',
    WEB_DIR: path.join(folder, 'not-built'),
    DATA_DIR: folder,
    PORT: String(port),
  })
  const server = startServer(config, pino({ level: 'silent' }))
  const ready = server.ready.catch((error: unknown) => error)
  await Promise.race([building.started.promise, server.ready])
  await server.stop()
  building.allowed.resolve()
  expect(await ready).toBeInstanceOf(Error)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})
