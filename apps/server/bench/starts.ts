import { median } from './driver.ts'
import { residentMegabytes, usedSinceStart } from './processor-time.ts'
import type { Program } from './programs.ts'

export interface StartResult {
  /** Milliseconds from the start of the process to its first answer from the database. */
  wall: number
  /** Milliseconds of CPU until then. */
  cpu: number
  megabytes: number
}

/** Starts the product several times. The least of each time counts: other work on the machine can only add to it. */
export async function measureStarts(start: () => Promise<Program>, rounds: number): Promise<StartResult> {
  const found: StartResult[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const program = await start()
    found.push({
      wall: performance.now() - began,
      cpu: usedSinceStart(program.pid),
      megabytes: residentMegabytes(program.pid),
    })
    await program.stop()
  }
  return {
    wall: Math.min(...found.map(({ wall }) => wall)),
    cpu: Math.min(...found.map(({ cpu }) => cpu)),
    megabytes: median(found.map(({ megabytes }) => megabytes)),
  }
}
