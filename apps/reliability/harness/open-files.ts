import { readdir, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Files of a folder that the server has open; uploads on their way have no name on the disk, but are open. */
export async function openFiles(pid: number, folder: 'community-upload-' | '/files/'): Promise<number> {
  const files = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
  return targets.filter((target) => target.includes(folder)).length
}

/** Resolves with 0 once a count is 0, or with what it is after so many milliseconds. */
export async function untilNone(count: () => Promise<number>, timeout: number): Promise<number> {
  for (const end = performance.now() + timeout; performance.now() < end; await sleep(50))
    if ((await count()) === 0) return 0
  return count()
}
