import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fetchReadiness, freePort } from './server.ts'
import { until } from './waiting.ts'

const CONFIG = new URL('../../../deploy/haproxy.cfg', import.meta.url)

/** Starts HAProxy in front of servers on these local ports. It has the configuration of `deploy/haproxy.cfg`, but no TLS; `adapt` may change it. */
export async function startHaproxy(ports: readonly number[], adapt = (config: string) => config) {
  const [folder, port] = [await mkdtemp(path.join(os.tmpdir(), 'community-haproxy-')), await freePort()]
  const file = path.join(folder, 'haproxy.cfg')
  const config = (await readFile(CONFIG, 'utf8'))
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replaceAll(/10\.0\.0\.1(\d):3000/g, (_, number) => `127.0.0.1:${ports[Number(number) - 1]}`)
  await writeFile(file, adapt(config))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  await once(child, 'spawn')
  await until('HAProxy passes requests on', async () => (await fetchReadiness(port)) === 200)
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
