import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { at, parseYaml, readRepositoryFile } from './deploy-files.ts'

let folder: string
let child: ChildProcess | undefined
const inFolder = (...names: string[]) => path.join(folder, ...names)
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'backup-'))
  for (const name of ['bin', 'files', 'backups']) mkdirSync(inFolder(name))
  writeFileSync(inFolder('files', 'one'), 'one')
  writeProgram('pg_dump', 'echo dump > incomplete.dump')
})
afterEach(() => {
  if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  child = undefined
  rmSync(folder, { recursive: true })
})

/** Lets the script find this program instead of the system's. */
function writeProgram(name: string, script: string) {
  writeFileSync(inFolder('bin', name), `#!/bin/sh\n${script}\n`)
  chmodSync(inFolder('bin', name), 0o755)
}
/** Moves the folders that a text names. */
const moved = (text: string) => text.replaceAll(/\/(?=(?:backups|files)\b)/g, `${folder}/`)
const ageFile = (name: string, hours: number) =>
  utimesSync(inFolder('backups', name), new Date(), new Date(Date.now() - hours * 3_600_000))

/** Runs deploy/compose/backup.sh once; returns the seconds until it would try again. */
async function backUp(): Promise<number> {
  writeProgram(
    'sleep',
    `echo "$1" > ${inFolder('pause.new')}; mv ${inFolder('pause.new')} ${inFolder('pause')}; exec /bin/sleep 60`,
  )
  writeFileSync(inFolder('backup.sh'), moved(readRepositoryFile('deploy/compose/backup.sh')))
  const env = { PATH: `${inFolder('bin')}:${process.env['PATH']}`, KEEP_DAYS: '14' }
  child = spawn('sh', [inFolder('backup.sh')], { env, detached: true, stdio: 'ignore' })
  await expect.poll(() => existsSync(inFolder('pause')), { timeout: 10_000 }).toBe(true)
  return Number(readFileSync(inFolder('pause'), 'utf8'))
}
const RETRY_SECONDS = 3600
const dumps = () => readdirSync(inFolder('backups')).filter((name) => name.endsWith('.dump'))

function isHealthy(): boolean {
  const [, command] = at(parseYaml('deploy/compose/compose.yaml')[0], 'services.backup.healthcheck.test') as string[]
  return spawnSync('sh', ['-c', moved(command ?? '')]).status === 0
}

it('has a dump and the files, and is healthy for a little more than a day', async () => {
  expect(isHealthy()).toBe(false)
  await backUp()
  expect(dumps()).toHaveLength(1)
  expect(readdirSync(inFolder('backups', 'files'))).toEqual(['one'])
  expect(isHealthy()).toBe(true)
  ageFile('last-complete', 27)
  expect(isHealthy()).toBe(false)
})

it('is unhealthy, tries again in an hour and deletes old dumps while the files cannot be copied', async () => {
  writeFileSync(inFolder('backups', 'community-old.dump'), '')
  ageFile('community-old.dump', 16 * 24)
  writeProgram('cp', `echo "cp: error writing 'files/one': No space left on device" >&2; exit 1`)
  expect(await backUp()).toBe(RETRY_SECONDS)
  expect(isHealthy()).toBe(false)
  expect(dumps()).toEqual([expect.stringMatching(/^community-\d{4}/)])
})

it('ignores a file that was deleted meanwhile', async () => {
  writeProgram(
    'cp',
    `/bin/cp "$@"; echo "cp: cannot stat '${inFolder('files')}/./two': No such file or directory" >&2; exit 1`,
  )
  await backUp()
  expect(isHealthy()).toBe(true)
})
