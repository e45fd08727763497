import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailsTo } from './accounts.ts'
import { openWorld, type World } from './world.ts'

const SCRIPT = fileURLToPath(new URL('../../../docs/examples/proof-of-work.mjs', import.meta.url))

let world: World
beforeAll(async () => {
  world = await openWorld({ PROOF_OF_WORK: 'always' })
})
afterAll(() => world.close())

it('the documented script requests a password reset with a proof of work', async () => {
  const origin = await world.app.listen({ port: 0 })
  const { email } = await world.member()
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, origin, email])
  expect(stdout).toBe('Verification Code Sent!\n')
  expect(await mailsTo(world, email)).toEqual(['code-reset'])
})
