import { median } from './driver.ts'
import { residentMegabytes, usedSinceStart } from './processor-time.ts'
import type { Program } from './programs.ts'

export interface StartResult {
  /** Milliseconds from the start of the process to its first answer out of the database. */
  wall: number
  /** Milliseconds of processor time until then. */
  cpu: number
  megabytes: number
}

async function once(start: () => Promise<Program>): Promise<StartResult> {
  const began = performance.now()
  const program = await start()
  const found = {
    wall: performance.now() - began,
    cpu: usedSinceStart(program.pid),
    megabytes: residentMegabytes(program.pid),
  }
  await program.stop()
  return found
}

/** Starts the programs by turns; the least of each, since a start can only be disturbed. */
export async function measureStarts(
  starts: Record<string, () => Promise<Program>>,
  rounds: number,
): Promise<Record<string, StartResult>> {
  const found = new Map<string, StartResult[]>(Object.keys(starts).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, start] of Object.entries(starts)) found.get(name)?.push(await once(start))
  return Object.fromEntries(
    [...found].map(([name, of]) => [
      name,
      {
        wall: Math.min(...of.map(({ wall }) => wall)),
        cpu: Math.min(...of.map(({ cpu }) => cpu)),
        megabytes: median(of.map(({ megabytes }) => megabytes)),
      },
    ]),
  )
}
