import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildServer, launch } from '@community/testing/server'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
beforeAll(() => buildServer())

const WEAK: [name: string, value: string, advice: string, more?: Record<string, string>][] = [
  ['APP_SECRET', 'secret', 'must have at least 32 characters'],
  ['APP_SECRET', 'changeme'.repeat(5), 'must be random'],
  ['APP_SECRET', '0'.repeat(64), 'must be random'],
  ['ADMIN_PASSWORD', 'Password1', 'does not meet the rules', { ADMIN_EMAIL: 'boss@example.ma' }],
  [
    'ADMIN_PASSWORD',
    'Welcome123',
    'most common passwords',
    { ADMIN_EMAIL: 'boss@example.ma', PASSWORD_BLOCKLIST: '1' },
  ],
  ['TRUST_PROXY', 'true', 'list the proxies'],
]

describe('a weak secret', () => {
  it.each(WEAK)('stops the start before anything is created: %s=%s', async (name, value, advice, more = {}) => {
    const { output, exited } = await launch({ DATA_DIR: path.join(folder, 'data'), ...more, [name]: value })
    expect((await exited).code).toBe(1)
    expect(output.err).toContain(`${name} `)
    expect(output.err).toContain(advice)
    // The rejected value must not be logged.
    if (name !== 'TRUST_PROXY') expect(output.out + output.err).not.toContain(value)
    expect(await readdir(folder)).toEqual([])
  })
})
