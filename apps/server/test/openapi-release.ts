import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ComparedDocument } from './openapi-breaking-changes.ts'

const RELEASED = fileURLToPath(new URL('./released-openapi.json', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

interface Versioned {
  info: { version: string }
}
type Released = ComparedDocument & Versioned

/** The document without examples and headers, which clients are not generated from. */
export const forClients = (document: object): Released =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) =>
      ['example', 'examples', 'headers'].includes(key) ? undefined : value,
    ),
  ) as Released

export const readReleased = async (): Promise<Released> => JSON.parse(await readFile(RELEASED, 'utf8')) as Released

/** Throws if the version was released before: its document stays as clients were generated from it. */
export function assertNewVersion({ info: released }: Versioned, { info: current }: Versioned): void {
  const isNewer = current.version.localeCompare(released.version, 'en', { numeric: true }) > 0
  if (!isNewer)
    throw new Error(`${released.version} is released: set a newer version in package.json (see CHANGELOG.md)`)
}

/** Writes the current document as the released one. */
export async function release(current: Released): Promise<void> {
  assertNewVersion(await readReleased(), current)
  await writeFile(RELEASED, `${JSON.stringify(current)}\n`)
}

/** The entries of the changelog that are not released yet. */
export const unreleasedEntries = (changelog: string): string =>
  changelog.split(/^## /m).find((section) => section.startsWith('Unreleased')) ?? ''

/** The part of a change that its changelog entry must name besides the operation: the field, the status, or the description. */
function subjectOf(change: string): RegExp {
  const [, , place = '', ...words] = change.split(' ')
  const field = /([\w-]+)(?:\[\])*$/.exec(place)?.[1] ?? ''
  if (place.includes('.') || place === 'body') return new RegExp(`\\b${field}\\b`)
  if (['query', 'path', 'header'].includes(place)) return new RegExp(`\\b${words[0]}\\b`)
  if (place === 'is') return /removed|gone/i
  return new RegExp(`\\b${words.at(-1)?.replace(/\W/g, '.')}\\b`, 'i')
}

/** Whether one entry under “Changed” or “Removed” names the operation of a breaking change and what of it changes. */
export function isAnnounced(change: string, entries: string): boolean {
  const sections = entries.split(/^### /m).filter((section) => /^(Changed|Removed)/.test(section))
  const operation = `\`${change.split(' ').slice(0, 2).join(' ')}\``
  return sections
    .flatMap((section) => section.split(/^- /m))
    .some((entry) => entry.includes(operation) && subjectOf(change).test(entry.replaceAll(operation, '')))
}

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 })

const versionAt = (commit: string): string | undefined => {
  try {
    return (JSON.parse(git('show', `${commit}:package.json`)) as { version: string }).version
  } catch {
    // Without a repository, or before the first commit of a shallow clone.
    return undefined
  }
}

/** A repository whose history is not cut off, in which `isWrittenByRelease` can look. */
export const hasHistory = (): boolean => {
  try {
    return git('rev-parse', '--is-shallow-repository').trim() === 'false'
  } catch {
    return false
  }
}

/** Whether the released document was last written together with a new version: in the working tree, or in its last commit. */
export function isWrittenByRelease(version: string): boolean {
  const head = versionAt('HEAD')
  if (head === undefined) return true
  if (git('status', '--porcelain', '--', RELEASED)) return head !== version
  const commit = git('log', '-1', '--format=%H', '--', RELEASED).trim()
  return versionAt(`${commit}^`) !== versionAt(commit)
}
