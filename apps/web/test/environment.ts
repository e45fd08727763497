import { builtinEnvironments, type Environment } from 'vitest/runtime'

const happyDom = builtinEnvironments['happy-dom']
let setup: Promise<unknown> | undefined

/** happy-dom, with one window for all test files of a worker: modules are not loaded again for each file, and hold on to their window. */
export default {
  ...happyDom,
  name: 'happy-dom-per-worker',
  async setup(global, options) {
    setup ??= Promise.resolve(happyDom.setup(global, options))
    await setup
    return { teardown() {} }
  },
} satisfies Environment
