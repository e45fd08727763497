import type { Rollup } from 'vite'

interface ChunkingContext {
  getModuleInfo(id: string): Pick<Rollup.ModuleInfo, 'importers' | 'dynamicImporters' | 'importedIds'> | null
}

/** Modules that re-export a whole package: importing one does not show which exports are used. */
const BARREL = /\/(radix-ui\/dist\/index|lucide-react\/dist\/esm\/lucide-react|contract\/src\/index)\.(m?js|ts)$/
const BARREL_MODULES = /\/lucide-react\/dist\/esm\/icons\/|\/contract\/src\//
const ZOD = /\/node_modules\/zod\//
/** What visitors see without opening a dialog. */
const INITIAL_UI = /\/src\/(features\/leaderboard\/points-over-time|app\/(sections|later|mobile-menu))\.tsx?$/
/** What only signed-in users see, without opening a dialog. */
const SIGNED_IN_UI = /\/src\/(features\/(admin|dashboard)\/index|app\/user-menu)\.tsx$/
const ADMIN = /\/src\/features\/admin\//
/** The next steps of members, on the dashboard and in the hero. */
const MEMBER_STEPS = /\/src\/features\/dashboard\/(first-steps|next-steps-card|step-list|attention)\.tsx?$/
/** In a chunk of its own, as it imports a large part of Radix, which visitors do not need. */
const MENU = /\/src\/ui\/menu\.tsx$/

/** What makes up most of a dialog's scripts. Dialogs that only ask or show something do without. */
const FORMS_OR_MENU = /\/node_modules\/(zod|react-hook-form|@hookform)\/|\/src\/ui\/menu\.tsx$/
const OUR_SOURCES = /\/apps\/web\/src\//

/** Few dialogs show Markdown. */
const MARKDOWN = /\/src\/ui\/markdown\.tsx$|\/node_modules\/marked\//

/** The dynamically imported modules that depend on this module, directly or not. */
function findDynamicEntries(id: string, context: ChunkingContext): string[] {
  const seen = new Set([id])
  const entries: string[] = []
  // Also visits the modules that the loop adds.
  for (const module of seen) {
    const info = context.getModuleInfo(module)
    if (info && info.dynamicImporters.length > 0) entries.push(module)
    for (const importer of info?.importers ?? []) if (!BARREL.test(importer)) seen.add(importer)
  }
  return entries
}

/** Whether a module imports one that matches `target`, directly or through modules that match `via`. */
function dependsOn(id: string, target: RegExp, via: RegExp, context: ChunkingContext): boolean {
  const seen = new Set([id])
  for (const module of seen)
    for (const imported of context.getModuleInfo(module)?.importedIds ?? []) {
      if (target.test(imported)) return true
      if (via.test(imported)) seen.add(imported)
    }
  return false
}

/**
 * Names a module's chunk; null leaves it to Rolldown. Without names Rolldown makes a chunk, mostly under 2 kB, for each set of entries
 * that share a module. The first rule that matches decides. No chunk may need a later one that needs it: both would fail as they load.
 */
export function chunkNameOf(id: string, context: ChunkingContext): string | null {
  // Icons and the contract's constants; its schemas wait for zod, which no page loads before a form opens.
  if (BARREL_MODULES.test(id)) return dependsOn(id, ZOD, BARREL_MODULES, context) ? 'schemas' : 'contract'
  if (MENU.test(id)) return 'menu'
  if (MARKDOWN.test(id)) return 'markdown'
  if (MEMBER_STEPS.test(id)) return 'member-steps'
  const entries = findDynamicEntries(id, context)
  // Only one lazy part needs it, and has it in its own chunk.
  if (entries.length < 2) return null
  if (entries.every((entry) => ADMIN.test(entry))) return 'admin-shared'
  if (entries.some((entry) => INITIAL_UI.test(entry))) return 'shared'
  if (entries.some((entry) => SIGNED_IN_UI.test(entry))) return 'signed-in-shared'
  return dependsOn(id, FORMS_OR_MENU, OUR_SOURCES, context) ? 'form-dialogs' : 'dialogs'
}
