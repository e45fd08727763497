import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ADMIN } from '@community/testing/server'
import { expect } from '@playwright/test'
import { inboxUrl, url } from '../site.ts'
import { test } from '../test.ts'

/** Their pinned versions are in generated-clients/package.json: with what they need 240 MB, which nothing else uses. */
const GENERATORS = [
  {
    name: 'hey-api',
    program: 'openapi-ts',
    args: ['-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch'],
  },
  {
    name: 'orval',
    program: 'orval',
    args: ['--input', 'openapi.json', '--output', 'orval/api.ts', '--client', 'fetch'],
  },
  {
    name: 'swagger-typescript-api',
    program: 'swagger-typescript-api',
    args: ['generate', '-p', 'openapi.json', '-o', 'swagger-typescript-api', '-n', 'api.ts'],
  },
  { name: 'oazapfts', program: 'oazapfts', args: ['openapi.json', 'oazapfts/api.ts'] },
]
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  skipLibCheck: true,
  types: [],
}

const runFile = promisify(execFile)
/** Runs a program; fails with what it printed. */
const run = (program: string, args: string[], cwd: string) =>
  runFile(program, args, { cwd, maxBuffer: 2 ** 26, env: { ...process.env, DO_NOT_TRACK: '1' } }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${args.join(' ')}\n${error.stdout.slice(0, 4000)}\n${error.stderr.slice(0, 4000)}`)
    },
  )

/** Compiles these files, strictly. */
async function compile(dir: string, files: string[]): Promise<void> {
  const tsconfig = path.join(dir, 'tsconfig.json')
  await writeFile(tsconfig, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: files }))
  await run(path.join(dir, 'node_modules/.bin/tsc'), ['-p', tsconfig], dir)
}

// Nightly: it installs the generators.
test('@full clients of four generators compile strictly, and one goes the whole way without a cast', async () => {
  test.setTimeout(600_000)
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-generators-'))
  await cp(fileURLToPath(new URL('generated-clients', import.meta.url)), dir, { recursive: true })
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], dir)
  await writeFile(path.join(dir, 'openapi.json'), await (await fetch(`${url}/api/openapi.json`)).text())
  for (const { name, program, args } of GENERATORS) {
    await mkdir(path.join(dir, name))
    await run(path.join(dir, 'node_modules/.bin', program), args, dir)
    await compile(dir, [name])
  }
  await compile(dir, ['main.ts'])
  // It resolves imports without endings, as bundlers do.
  const loader = import.meta.resolve('tsx')
  const { stdout } = await run(
    process.execPath,
    ['--import', loader, 'main.ts', `${url}/api`, inboxUrl, ADMIN.password],
    dir,
  )
  expect(stdout).toBe('done\n')
  await rm(dir, { recursive: true })
})
