import { readdir, readFile } from 'node:fs/promises'
import type postgres from 'postgres'

/** The parent of a process; null where there is no such process any more. */
async function parentOf(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat === null ? null : Number(stat.replace(/^.*\) /s, '').split(' ')[1])
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // Ended meanwhile.
    }
}

/** Stops the postmaster and all its processes where they are, as a machine that hangs would; resolves with what has them go on. */
export async function freeze(sql: postgres.Sql): Promise<() => void> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = row && (await parentOf(row.pid))
  if (!postmaster) throw new Error('the session has no postmaster on this machine')
  // First the one that would start others.
  process.kill(postmaster, 'SIGSTOP')
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(numbers.map(parentOf))
  const frozen = [postmaster, ...numbers.filter((_, index) => parents[index] === postmaster)]
  signal(frozen, 'SIGSTOP')
  return () => signal(frozen, 'SIGCONT')
}
