import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { findQueuedTemplates } from './accounts.ts'
import { openTestServer } from './test-server.ts'

const SCRIPT = fileURLToPath(new URL('../../../docs/examples/proof-of-work.mjs', import.meta.url))

const server = await openTestServer({ PROOF_OF_WORK: 'always' })
afterAll(() => server.close())

it('the documented script requests a password reset with a proof of work', async () => {
  const origin = await server.app.listen({ port: 0 })
  const { email } = await server.createMember()
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, origin, email])
  expect(stdout).toBe('Verification Code Sent!\n')
  expect(await findQueuedTemplates(server, email)).toEqual(['code-reset'])
})
