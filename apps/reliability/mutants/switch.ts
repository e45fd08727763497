// Runs before each test file: turns the mutant on that is being tried, and tells which ones the file's tests reach.
import { afterEach, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** None where it is empty. */
    mutant: string
  }
  interface TaskMeta {
    reached?: string[]
  }
}

/** What the instrumenter's switches read and write; a mutant that loops for ever ends at the limit. */
const switches: {
  activeMutant: string
  hitCount: number
  hitLimit: number
  mutantCoverage?: { static: Record<string, number> }
} = { activeMutant: inject('mutant'), hitCount: 0, hitLimit: 1_000_000 }
Object.assign(globalThis, { __stryker__: switches })

afterEach(({ task }) => {
  task.file.meta.reached = Object.keys(switches.mutantCoverage?.static ?? {})
})
