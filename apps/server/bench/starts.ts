import { median, residentMegabytes } from '@community/testing'
import { usedSinceStart } from './processor-time.ts'
import type { Program } from './programs.ts'
import type { Figures } from './scenarios.ts'

/** Starts the product several times. The least of each time counts: other work on the machine can only add to it. */
export async function measureStarts(start: () => Promise<Program>, rounds: number): Promise<Figures> {
  const found: { wall: number; cpu: number; megabytes: number }[] = []
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
    'start to first answer, ms': Math.min(...found.map(({ wall }) => wall)),
    'CPU until then, ms': Math.min(...found.map(({ cpu }) => cpu)),
    'memory then, MB': median(found.map(({ megabytes }) => megabytes)),
  }
}
