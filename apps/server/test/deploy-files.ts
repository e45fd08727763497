import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
export const readRepositoryFile = (name: string): string => readFileSync(path.join(REPOSITORY, name), 'utf8')
/** The files of `deploy/` that end with `suffix`, sorted. */
export const deployFiles = (suffix: string): string[] =>
  readdirSync(path.join(REPOSITORY, 'deploy'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(suffix))
    .map((name) => `deploy/${name}`)
    .toSorted()

/** The documents of a YAML or JSON file. Throws for a syntax error or a duplicate key. */
export const parseYaml = (name: string): unknown[] =>
  parseAllDocuments(readRepositoryFile(name)).map((document) => {
    if (document.errors[0]) throw new Error(`${name}: ${document.errors[0].message}`)
    return document.toJS() as unknown
  })

/** The value at a path such as `spec.ports.0`; undefined when absent. */
export function at(value: unknown, keys: string): unknown {
  let found = value
  for (const key of keys.split('.')) found = (found as Record<string, unknown> | undefined)?.[key]
  return found
}

/** The values of every property of this name, at any depth. */
export function collect(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...collect(inner, key)])
}
