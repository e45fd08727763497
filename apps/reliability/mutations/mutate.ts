import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Lang, parse, type NapiConfig } from '@ast-grep/napi'
import { parse as parseYaml } from 'yaml'

const MIGRATIONS = 'drizzle/migrations'

/**
 * A deliberate fault that one of the tests must notice. In a source file `find` is a pattern of ast-grep that matches once, and `replace` is
 * what it becomes. In `unique`, an index or constraint of the migrations no longer is.
 */
export type Fault = { what: string; tests: string[] } & (
  | { file: string; find: NonNullable<NapiConfig['rule']['pattern']>; replace: string }
  | { unique: string }
)

export const faults = parseYaml(await readFile(path.join(import.meta.dirname, 'faults.yaml'), 'utf8')) as Fault[]

/** A file of the folder, and its text with the fault. Throws unless the fault's pattern matches exactly once. */
export async function mutate(folder: string, fault: Fault) {
  const read = (file: string) => readFile(path.join(folder, file), 'utf8')
  const found: { file: string; original: string; mutated: string }[] = []
  if ('unique' in fault) {
    const index = new RegExp(`CREATE UNIQUE (INDEX "${fault.unique}")`)
    const constraint = new RegExp(`(CONSTRAINT "${fault.unique}") UNIQUE ?\\([^)]*\\)`)
    for (const name of (await readdir(path.join(folder, MIGRATIONS))).filter((item) => item.endsWith('.sql'))) {
      const file = `${MIGRATIONS}/${name}`
      const original = await read(file)
      const mutated = original.replace(index, 'CREATE $1').replace(constraint, '$1 CHECK (true)')
      if (mutated !== original) found.push({ file, original, mutated })
    }
  } else {
    const { file, find, replace } = fault
    const original = await read(file)
    const root = parse(Lang.TypeScript, original).root()
    for (const node of root.findAll({ rule: { pattern: find } })) {
      const text = replace.replace('$A', () => node.getMatch('A')?.text() ?? '')
      found.push({ file, original, mutated: root.commitEdits([node.replace(text)]) })
    }
  }
  const [mutation] = found
  if (!mutation || found.length > 1) throw new Error(`${fault.what}: found ${found.length} times`)
  return mutation
}
