import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as vitestNode from 'vitest/node'
import type { Reporter, TestSpecification, Vitest } from 'vitest/node'
import type { Mutant } from './draw.ts'

/** A mutant that so many test files reach and do not notice has survived: the others know less of it than these. */
export const ENOUGH = 20

/** On a busy machine what is only slow must not count as noticed. */
const PATIENCE = { testTimeout: 120_000, hookTimeout: 120_000 }

const SUITES = ['packages/contract', 'apps/server']

/** A test file, and the mutants that it reaches. */
interface Known {
  tests: TestSpecification
  reached: Set<string>
}

/** The tests of a copy, kept ready: what they share is started once, not once a mutant. */
export class Tests {
  readonly #vitest: Vitest
  #failed: string | null = null
  #endsAtFirst = false
  readonly #known: Known[] = []

  private constructor(vitest: Vitest) {
    this.#vitest = vitest
  }

  static async open(copy: string): Promise<Tests> {
    // The copy's own: its tests would not know another.
    const vitestOfCopy = createRequire(path.join(copy, 'guarantee', path.sep)).resolve('vitest/node')
    const { createVitest } = (await import(pathToFileURL(vitestOfCopy).href)) as typeof vitestNode
    const reporter: Reporter = {
      onTestCaseResult: (test) => {
        const { state, errors } = test.result()
        if (state !== 'failed') return
        const [why = ''] = (errors[0]?.message ?? '').split('\n')
        tests.#fail(`${test.module.relativeModuleId}: ${test.fullName} (${why})`)
      },
      onTestModuleEnd: (module) => {
        if (module.state() !== 'failed') return
        const [error] = module.errors()
        tests.#fail(`${module.relativeModuleId}: ${error?.message ?? 'what its tests need'}`)
      },
    }
    const vitest = await createVitest('test', {
      root: copy,
      config: false,
      watch: false,
      reporters: [reporter],
      sequence: {
        sequencer: class {
          sort = (files: TestSpecification[]) => Promise.resolve(files)
          shard = (files: TestSpecification[]) => Promise.resolve(files)
        },
      },
      projects: SUITES.map((suite) => ({
        extends: path.join(copy, suite, 'vitest.config.ts'),
        root: path.join(copy, suite),
        test: { name: suite, maxWorkers: 1, ...PATIENCE, setupFiles: [path.join(copy, 'guarantee/mutants/switch.ts')] },
      })),
    })
    const tests = new Tests(vitest)
    return tests
  }

  #fail(what: string): void {
    this.#failed ??= what
    if (this.#endsAtFirst) void this.#vitest.cancelCurrentRun('test-failure')
  }

  /**
   * Runs the tests once without a mutant, to see which mutants each reaches. What fails already now would notice nothing: it is left out,
   * and told.
   */
  async learn(): Promise<string[]> {
    this.#vitest.provide('mutant', '')
    const { testModules } = await this.#vitest.runTestSpecifications(await this.#vitest.globTestSpecifications())
    for (const module of testModules.filter((one) => one.ok()))
      this.#known.push({ tests: module.toTestSpecification(), reached: new Set(module.meta().reached) })
    return testModules.filter((one) => !one.ok()).map(({ relativeModuleId }) => relativeModuleId)
  }

  /** The first test that fails with a mutant, those that reach little else before the others; null where none does. */
  async whoNotices({ id, file }: Mutant): Promise<string | null> {
    const own = file.replace(/\.ts$/, '.test.ts')
    const distance = ({ tests, reached }: Known) => (tests.moduleId.endsWith(own) ? 0 : reached.size)
    const files = this.#known
      .filter(({ reached }) => reached.has(id))
      .toSorted((a, b) => distance(a) - distance(b))
      .slice(0, ENOUGH)
    if (files.length === 0) return null
    this.#failed = null
    this.#endsAtFirst = true
    this.#vitest.provide('mutant', id)
    const { unhandledErrors } = await this.#vitest.runTestSpecifications(files.map(({ tests }) => tests))
    const [unhandled] = unhandledErrors as { message: string }[]
    return this.#failed ?? unhandled?.message ?? null
  }

  async close(): Promise<void> {
    await this.#vitest.close()
  }
}
