import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { REPOSITORY } from '@community/testing/server'
import { run } from './system-postgres.ts'

const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: REPOSITORY })).stdout.trim()

/** The commit of the last release before HEAD: the last one that changed the version in `package.json`. */
async function previousRelease(): Promise<string> {
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true')
    throw new Error('a shallow clone lacks the previous release: run git fetch --unshallow')
  const head = await git('rev-parse', 'HEAD')
  const commits = (await git('log', '--format=%H', '-G^  "version":', '--', 'package.json')).split('\n')
  const release = commits.find((commit) => commit !== head)
  if (!release) throw new Error('the history holds no earlier release')
  return release
}

/** Builds the server of an earlier version, by default the last release, in a temporary folder. */
export async function buildRelease(commit?: string) {
  const release = commit ?? (await previousRelease())
  const folder = await mkdtemp(path.join(os.tmpdir(), 'community-release-'))
  const cwd = path.join(folder, 'apps/server')
  await run('sh', ['-c', 'git archive "$0" | tar x -C "$1"', release, folder], { cwd: REPOSITORY })
  const filter = ['--filter', '@community/server...']
  const env = { ...process.env, CI: '1' }
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', ...filter], { cwd: folder, env })
  await run(process.execPath, ['build.mjs'], { cwd })
  return {
    version: (JSON.parse(await git('show', `${release}:package.json`)) as { version: string }).version,
    main: path.join(cwd, 'dist/main.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
