import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ADMIN } from '@community/testing/server'
import { expect } from '@playwright/test'
import { inboxUrl, url } from '../site.ts'
import { test } from '../test.ts'

const CLIENT = fileURLToPath(new URL('../../../packages/client', import.meta.url))
const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.asynciterable'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    types: [],
  },
  include: ['main.ts'],
}

const runFile = promisify(execFile)
/** Runs a program; fails with what it printed. */
const run = (program: string, args: string[], cwd: string) =>
  runFile(program, args, { cwd }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`)
  })

/** The folder of an installed package. */
const folderOf = (name: string, from: string) =>
  path.dirname(createRequire(path.join(from, 'package.json')).resolve(`${name}/package.json`))

/** Packs a package, and returns the archive’s path. */
async function pack(from: string, into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--pack-destination', into], from)
  return path.join(into, path.basename(stdout.trim().split('\n').at(-1) ?? ''))
}

/** Packs an installed package, so that the test needs no registry. */
async function packInstalled(folder: string, into: string): Promise<string> {
  // pnpm links equal files to one another, and npm installs no links.
  const copy = path.join(into, 'copies', path.basename(folder))
  await cp(folder, copy, { recursive: true })
  return pack(copy, into)
}

test('the packed client installs by npm in an empty project and goes the whole way without a cast', async () => {
  // Three packages are packed, then installed and compiled.
  test.setTimeout(300_000)
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-client-'))
  const openapiFetch = folderOf('openapi-fetch', CLIENT)
  const archives = await Promise.all([
    pack(CLIENT, dir),
    packInstalled(openapiFetch, dir),
    packInstalled(folderOf('openapi-typescript-helpers', openapiFetch), dir),
  ])
  await writeFile(path.join(dir, 'package.json'), JSON.stringify({ name: 'script', private: true, type: 'module' }))
  await writeFile(path.join(dir, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await copyFile(new URL('client-package/main.ts', import.meta.url), path.join(dir, 'main.ts'))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...archives], dir)
  await run(process.execPath, [path.join(folderOf('typescript', CLIENT), 'lib/tsc.js')], dir)
  const { stdout } = await run(process.execPath, ['main.js', `${url}/api`, inboxUrl, ADMIN.password], dir)
  expect(stdout).toBe('done\n')
  await rm(dir, { recursive: true })
})
