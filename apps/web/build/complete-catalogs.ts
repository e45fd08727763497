import { join } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { makeConfig } from '@lingui/conf'
import type { Plugin } from 'vite'
import config, { isInCatalog } from '../lingui.config.ts'

const WEB = join(import.meta.dirname, '..')

/** Lingui's view of the app's texts: `collect()` reads the sources, `readAll()` the catalogs. */
export async function openCatalog(rootDir = WEB) {
  // A copy: makeConfig replaces <rootDir> in place.
  const catalogs = structuredClone(config.catalogs ?? [])
  const [catalog] = await getCatalogs(makeConfig({ ...config, catalogs, rootDir }))
  if (!catalog) throw new Error('lingui.config.ts names no catalog')
  return catalog
}

/** What `lingui extract --clean` would add or remove, and what is not translated; a line each. */
export async function catalogProblems(rootDir = WEB): Promise<string[]> {
  const catalog = await openCatalog(rootDir)
  const [used = {}, saved] = await Promise.all([catalog.collect(), catalog.readAll()])
  return Object.entries(saved).flatMap(([locale, messages]) => [
    ...Object.keys(used)
      .filter((id) => isInCatalog(id, locale) && !messages[id]?.translation.trim())
      .map((id) => `${locale}.po lacks: ${id}`),
    ...Object.keys(messages)
      .filter((id) => !used[id])
      .map((id) => `${locale}.po has, unused: ${id}`),
  ])
}

/** Fails the build where a text has no translation, or a translation no text. */
export function completeCatalogs(rootDir?: string): Plugin {
  return {
    name: 'complete-catalogs',
    apply: 'build',
    async buildStart() {
      const problems = await catalogProblems(rootDir)
      if (problems.length > 0)
        this.error(`Run \`pnpm --filter @community/web extract\` and translate:\n${problems.join('\n')}`)
    },
  }
}
