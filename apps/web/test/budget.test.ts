import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SRC } from './sources.ts'

const WEB = join(SRC, '..')
const DIST = mkdtempSync(join(tmpdir(), 'web-budget-'))
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

describe('the built app', () => {
  let initial: Chunk[] = []

  beforeAll(() => {
    const vite = join(WEB, 'node_modules/vite/bin/vite.js')
    const env = { ...process.env, NODE_ENV: 'production' }
    execFileSync(process.execPath, [vite, 'build', '--outDir', DIST, '--logLevel', 'error'], { cwd: WEB, env })
    const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
    const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? ''
    initial = [...withImports(manifest, entry)].flatMap((key) => manifest[key] ?? [])
  }, 60_000)

  afterAll(() => rmSync(DIST, { recursive: true }))

  it('starts with at most 112 kB of script and 12 kB of style', () => {
    const script = initial.reduce((sum, chunk) => sum + sizeOf(chunk.file), 0)
    const style = initial.flatMap((chunk) => chunk.css ?? []).reduce((sum, file) => sum + sizeOf(file), 0)
    expect(script).toBeGreaterThan(50)
    expect(script).toBeLessThanOrEqual(112)
    expect(style).toBeLessThanOrEqual(12)
  })

  it('has every text of a kilobyte and more compressed beside it, by brotli better than by gzip', () => {
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('.vite'))
    const texts = files.filter(
      (file) => /\.(js|css|html|svg|json)$/.test(file) && statSync(join(DIST, file)).size > 1024,
    )
    expect(texts).toContain('index.html')
    expect(texts).toContain('boot.js')
    for (const file of texts) {
      const [plain, br, gz] = [file, `${file}.br`, `${file}.gz`].map((name) => readFileSync(join(DIST, name)))
      expect([file, plain && br && brotliDecompressSync(br).equals(plain)]).toEqual([file, true])
      expect([file, plain && gz && gunzipSync(gz).equals(plain)]).toEqual([file, true])
      expect([file, br && gz && br.length < gz.length]).toEqual([file, true])
    }
    const compressed = files.filter((file) => /\.(br|gz)$/.test(file)).map((file) => file.slice(0, -3))
    expect(new Set(compressed)).toEqual(new Set(texts))
  })

  it('starts without zod', () => {
    const marked = initial.filter((chunk) => readFileSync(join(DIST, chunk.file), 'utf8').includes('invalid_type'))
    expect(marked.map((chunk) => chunk.file)).toEqual([])
  })
})
