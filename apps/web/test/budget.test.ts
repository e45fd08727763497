import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { SRC } from './sources.ts'

const DIST = join(SRC, '../dist')
const MANIFEST = join(DIST, '.vite/manifest.json')
const KB = 1000

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  isEntry?: boolean
}

const sizeOf = (file: string): number => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length / KB

function withImports(manifest: Record<string, Chunk>, key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const next of manifest[key]?.imports ?? []) withImports(manifest, next, seen)
  return seen
}

// It judges a build that is there: `vite build` first.
describe.runIf(existsSync(MANIFEST))('the built app', () => {
  const manifest = existsSync(MANIFEST) ? (JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, Chunk>) : {}
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? ''
  const initial = [...withImports(manifest, entry)].flatMap((key) => manifest[key] ?? [])

  it('starts with at most 130 kB of script and 12 kB of style', () => {
    const script = initial.reduce((sum, chunk) => sum + sizeOf(chunk.file), 0)
    const style = initial.flatMap((chunk) => chunk.css ?? []).reduce((sum, file) => sum + sizeOf(file), 0)
    expect(script).toBeGreaterThan(50)
    expect(script).toBeLessThanOrEqual(130)
    expect(style).toBeLessThanOrEqual(12)
  })

  it('starts without zod', () => {
    const marked = initial.filter((chunk) => readFileSync(join(DIST, chunk.file), 'utf8').includes('invalid_type'))
    expect(marked.map((chunk) => chunk.file)).toEqual([])
  })
})
