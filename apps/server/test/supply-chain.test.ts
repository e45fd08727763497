import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The minimum versions: earlier ones have a known vulnerability, or lack a limit that the server relies on. */
const AT_LEAST: Record<string, string> = {
  fastify: '5.12.1',
  '@fastify/multipart': '10.0.0',
  '@trpc/server': '11.25.0',
  'drizzle-orm': '0.45.2',
  nodemailer: '9.1.1',
  vite: '8.0.0',
}

const lockfile = readFileSync(new URL('../../../pnpm-lock.yaml', import.meta.url), 'utf8')
/** All installed versions of a package. */
const versionsOf = (name: string): string[] =>
  [...lockfile.matchAll(new RegExp(`^ {2}'?${name.replace('/', '\\/')}@(\\d[^:'(]*)'?:`, 'gm'))].map(
    ([, version = '']) => version,
  )

const isAtLeast = (version: string, least: string): boolean => {
  const [a, b] = [version, least].map((number) => number.split('.').map((part) => Number.parseInt(part, 10)))
  for (const [index, part] of (b ?? []).entries()) if ((a?.[index] ?? 0) !== part) return (a?.[index] ?? 0) > part
  return true
}

describe('installed packages', () => {
  it.each(Object.entries(AT_LEAST))('%s is at least %s everywhere', (name, least) => {
    const versions = versionsOf(name)
    expect(versions.length).toBeGreaterThan(0)
    expect(versions.filter((version) => !isAtLeast(version, least))).toEqual([])
  })

  it('compares versions', () => {
    expect(isAtLeast('5.12.1', '5.12.1')).toBe(true)
    expect(isAtLeast('5.9.9', '5.12.1')).toBe(false)
    expect(isAtLeast('6.0.0', '5.12.1')).toBe(true)
    expect(isAtLeast('0.45.10', '0.45.2')).toBe(true)
  })

  it('have integrity hashes', () => {
    const [, packages = ''] = lockfile.split('\npackages:\n')
    const [listed = ''] = packages.split('\nsnapshots:\n')
    expect(listed.match(/^ {4}resolution: /gm)?.length).toBeGreaterThan(400)
    expect(listed.match(/^ {4}resolution: (?!\{integrity: sha512-)/gm)).toBeNull()
  })
})
