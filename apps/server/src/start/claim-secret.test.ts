import { afterAll, beforeEach, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { createSecret } from '../auth/secret.ts'
import { ConfigError, readConfig } from '../config.ts'
import { claimSecret } from './claim-secret.ts'

const server = await openTestServer()
beforeEach(async () => {
  await server.sql`update settings set secret_fingerprint = null`
})
afterAll(() => server.close())

const secretNumber = (number: number) => `v7PqkX2mNfLr9TzYbW4cHsDg1JxEa5R${number}`
const start = (secret: string) =>
  claimSecret({ db: server.db, config: readConfig({ APP_SECRET: secret }), secret: createSecret(Buffer.from(secret)) })
/** Starts with a secret that a development start generated into DATA_DIR. */
const startWithGenerated = (secret: string) =>
  claimSecret({ db: server.db, config: readConfig({}), secret: createSecret(Buffer.from(secret)) })
const outcomeOf = (claim: Promise<void>) =>
  claim.then(
    () => 'started',
    (error: unknown) => error,
  )
const findFingerprint = async () =>
  (await server.sql`select secret_fingerprint from settings`)[0]?.['secret_fingerprint']

it('binds the database to the first secret and rejects another', async () => {
  await start(secretNumber(1))
  await start(secretNumber(1))
  const rejected = (await outcomeOf(start(secretNumber(2)))) as ConfigError
  expect(rejected).toBeInstanceOf(ConfigError)
  expect(rejected.message).toMatch(/^APP_SECRET: .*this is another.*“Replace APP_SECRET” in docs\/troubleshooting\.md$/)
  expect(rejected.message).not.toContain(secretNumber(2))
  expect(await findFingerprint()).toMatch(/^[0-9a-f]{64}$/)
  await start(secretNumber(1))
})

it('accepts one secret when servers start concurrently with different ones', async () => {
  const starts = await Promise.all(Array.from({ length: 12 }, (_, index) => outcomeOf(start(secretNumber(index % 3)))))
  const started = new Set(starts.flatMap((result, index) => (result === 'started' ? [index % 3] : [])))
  expect(starts.filter((result) => result === 'started')).toHaveLength(4)
  expect(started.size).toBe(1)
})

it('never binds the database to a generated secret, and rejects one after APP_SECRET was set', async () => {
  await startWithGenerated(secretNumber(1))
  await startWithGenerated(secretNumber(2))
  expect(await findFingerprint()).toBeNull()
  await start(secretNumber(3))
  expect(await outcomeOf(startWithGenerated(secretNumber(1)))).toMatchObject({
    message: expect.stringContaining('kept in'),
  })
  await startWithGenerated(secretNumber(3))
})

it('accepts another secret after the SQL of docs/troubleshooting.md', async () => {
  await start(secretNumber(1))
  await server.sql`update settings set secret_fingerprint = null`
  await start(secretNumber(2))
  expect(await outcomeOf(start(secretNumber(1)))).toBeInstanceOf(ConfigError)
})
