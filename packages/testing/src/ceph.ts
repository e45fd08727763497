import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFile, chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from './waiting.ts'

const SCRIPTS = fileURLToPath(new URL('../../../scripts', import.meta.url))
const run = promisify(execFile)

/** Starts Ceph's radosgw on several stores, each object on three of them (`scripts/ceph-up.sh`). */
export async function startCeph(stores: number) {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'community-ceph-'))
  await chmod(parent, 0o755)
  const folder = path.join(parent, 'cluster')
  await run(path.join(SCRIPTS, 'ceph-up.sh'), [folder, '', String(stores)])
  const file = await readFile(path.join(folder, 'env'), 'utf8')
  const conf = ['-c', path.join(folder, 'ceph.conf')]
  const runCeph = async (...command: string[]) => (await run('ceph', [...conf, ...command])).stdout
  const started = new Map<number, ChildProcess>()
  const start = async (store: number) => {
    const child = spawn('ceph-osd', [...conf, '-i', String(store), '-f'], { stdio: 'ignore' })
    started.set(store, child)
    await appendFile(path.join(folder, 'pids'), `${child.pid}\n`)
  }
  return {
    /** The `TEST_S3_*` settings. */
    env: Object.fromEntries([...file.matchAll(/(TEST_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])),
    /** Kills a store; resolves with a function that starts it again. */
    async kill(store: number): Promise<() => Promise<void>> {
      started.delete(store)
      process.kill(Number(await readFile(path.join(folder, 'run', `osd.${store}.pid`), 'utf8')), 'SIGKILL')
      return () => start(store)
    },
    /** Waits until all stores run and hold all objects. */
    untilHealthy: () =>
      until('the stores are complete', async () => {
        await sleep(1000)
        // A store exits if the monitor rejects it at its start.
        for (const [store, { exitCode }] of started) if (exitCode !== null) await start(store)
        // Commands fail while the monitor elects a leader or waits for the manager.
        const readStat = (what: string) => runCeph(what, 'stat').catch(() => '')
        const [osds, groups] = await Promise.all([readStat('osd'), readStat('pg')])
        return osds.includes(` ${stores} up`) && /^(\d+) pgs: \1 active\+clean;/.test(groups)
      }),
    async remove() {
      await run(path.join(SCRIPTS, 'stop-started.sh'), [folder])
      await rm(parent, { recursive: true, force: true })
    },
  }
}
