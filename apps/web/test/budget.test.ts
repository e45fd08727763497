import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext, runInThisContext } from 'node:vm'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openCatalog } from '../build/complete-catalogs.ts'
import { API_TEXTS } from '../src/lib/api-texts.ts'
import { FIRST_QUERIES, firstQueryUrls } from '../src/lib/first-queries.ts'
import { SRC } from './sources.ts'

const WEB = join(SRC, '..')
const DIST = mkdtempSync(join(tmpdir(), 'web-budget-'))
const KB = 1000
const ADMIN_TEXT = '{count, plural, one {# active warning} other {# active warnings}}'

const sizeOf = (file: string): number => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length / KB

const hasZod = (file: string): boolean => readFileSync(join(DIST, file), 'utf8').includes('invalid_type')

/** The ids of a compiled catalog, in which the build writes JSON as a template literal. */
const messagesIn = (code: string): string[] =>
  Object.keys(JSON.parse(runInNewContext(/JSON\.parse\((`.*`)\)/s.exec(code)?.[1] ?? '""') as string) as object)

describe('the built app', () => {
  /** The files that the HTML names: the entry and its static imports. */
  let initial: string[] = []

  beforeAll(() => {
    const vite = join(WEB, 'node_modules/vite/bin/vite.js')
    const env = { ...process.env, NODE_ENV: 'production' }
    execFileSync(process.execPath, [vite, 'build', '--outDir', DIST, '--logLevel', 'error'], { cwd: WEB, env })
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    initial = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file = '']) => file)
  }, 60_000)

  afterAll(() => rmSync(DIST, { recursive: true }))

  it('loads at most 111 kB of scripts and 12 kB of styles at first', () => {
    const sizeOfAll = (extension: string) =>
      initial.filter((file) => file.endsWith(extension)).reduce((sum, file) => sum + sizeOf(file), 0)
    const style = sizeOfAll('.css')
    expect(sizeOfAll('.js')).toBeGreaterThan(50)
    expect(sizeOfAll('.js')).toBeLessThanOrEqual(111)
    expect(style).toBeGreaterThan(5)
    expect(style).toBeLessThanOrEqual(12)
  })

  it('loads at most 95 kB of scripts at first with brotli, the English texts included', () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    const [, texts = ''] = /<meta name="preload-en" content="\/([^" ]+\.js)/.exec(page) ?? []
    const scripts = [...initial.filter((file) => file.endsWith('.js')), texts]
    expect(scripts).toContain('boot.js')
    const size = scripts.reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(DIST, file))).length / KB, 0)
    expect(size).toBeGreaterThan(50)
    expect(size).toBeLessThanOrEqual(95)
  })

  it('has a compressed copy of every text file of at least a kilobyte, smaller by brotli than by gzip', () => {
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
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

  it('needs at most 10 scripts for what a hash leads to, none of them with zod', () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    const routes = [...page.matchAll(/<meta name="route-(\w+)" content="([^ "]+) ([^"]+)"/g)]
    expect(routes.map(([, route]) => route)).toEqual(Object.keys(FIRST_QUERIES))
    const entry = initial.filter((file) => file.endsWith('.js'))
    for (const [, route = '', url, files = ''] of routes) {
      const scripts = [...entry, ...files.split(' ').map((file) => file.slice(1))]
      expect([route, url]).toEqual([route, expect.stringMatching(/^\/trpc\/\w+\.\w+/)])
      expect(scripts.length).toBeLessThanOrEqual(10)
      expect([route, scripts.filter(hasZod)]).toEqual([route, []])
    }
  })

  it('loads all sections in one script; the footer, toasts and live updates in another; what only members see in a third', () => {
    const files = readdirSync(join(DIST, 'assets'))
    const scriptsNamed = (names: string) => files.filter((file) => new RegExp(`^(${names})-[\\w-]{8}\\.js$`).test(file))
    expect(scriptsNamed('sections')).toHaveLength(1)
    expect(scriptsNamed('later')).toHaveLength(1)
    expect(scriptsNamed('member')).toHaveLength(1)
    expect(
      scriptsNamed('teams|challenges|works|leaderboard|contact|footer|overlays|live|next-steps|notification-bell'),
    ).toEqual([])
  })

  /** Opens the page at a route with a token that is valid for `seconds`; returns its requests, the URL of its first query, and the links. */
  function boot(route: string, role: 'admin' | 'member', seconds: number) {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    document.head.innerHTML = [...page.matchAll(/<meta [^>]+>/g)].join('')
    const [, url] = new RegExp(`name="route-${route}" content="([^ ]+)`).exec(page) ?? []
    localStorage.setItem('authToken', 'token')
    localStorage.setItem('authTokenFreshUntil', String(Date.now() + seconds * 1000))
    localStorage.setItem('currentUser', JSON.stringify({ role }))
    window.location.hash = route
    const fetched = vi.fn<typeof fetch>(() => new Promise(() => {}))
    vi.stubGlobal('fetch', fetched)
    // Not into the document, which would load them.
    const append = vi.spyOn(document.head, 'append').mockImplementation(() => {})
    vi.useFakeTimers()
    runInThisContext(readFileSync(join(DIST, 'boot.js'), 'utf8'))
    return { fetched, url, append }
  }

  it.each(['works', 'leaderboard', 'contact', 'challenges'])(
    'requests the first query of #%s without a token that has expired',
    (route) => {
      const { fetched, url } = boot(route, 'member', -1)
      expect(fetched.mock.calls[0]).toEqual([url, expect.objectContaining({ headers: { 'accept-language': 'en' } })])
      window.location.hash = ''
      document.head.innerHTML = ''
    },
  )

  it.each(Object.keys(FIRST_QUERIES))('requests the first query of #%s before any other script', (route) => {
    const { fetched, url, append } = boot(route, 'admin', 60)
    expect(fetched.mock.calls.map(([address]) => address)).toEqual([url, '/api/health'])
    vi.runAllTimers()
    document.dispatchEvent(new Event('DOMContentLoaded'))
    const preloaded = append.mock.calls.flat().map((link) => (link as HTMLLinkElement).getAttribute('href'))
    const chunk = /^(dashboard|admin)$/.test(route) ? route : 'sections'
    expect(preloaded).toContainEqual(expect.stringMatching(`^/assets/${chunk}-`))
    window.location.hash = ''
    document.head.innerHTML = ''
  })

  it.each([
    ['challenge', 'challenges'],
    ['team', 'teams'],
  ] as const)('requests the section’s first query for a link to a %s', (kind, section) => {
    const { fetched } = boot(`${kind}-7`, 'member', 60)
    expect(fetched.mock.calls[0]?.[0]).toBe(firstQueryUrls()[section])
    window.location.hash = ''
    document.head.innerHTML = ''
  })

  it('loads without zod', () => {
    expect(initial.filter(hasZod)).toEqual([])
  })

  it.each(['en', 'fr', 'ar'])('names the %s texts of the admin area for boot.js to preload', (language) => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    const [, file = ''] = new RegExp(`<meta name="admin-${language}" content="/([^"]+)"`).exec(page) ?? []
    const messages = messagesIn(readFileSync(join(DIST, file), 'utf8'))
    expect(messages).toContain(ADMIN_TEXT)
  })

  it.each(['en', 'fr', 'ar'])('loads the %s texts of the admin area apart', async (language) => {
    const isCatalog = new RegExp(`^${language}-[^.]*\\.js$`)
    const [everybody = [], admin = [], ...others] = readdirSync(join(DIST, 'assets'))
      .filter((file) => isCatalog.test(file))
      .map((file) => messagesIn(readFileSync(join(DIST, 'assets', file), 'utf8')))
      .toSorted((a, b) => b.length - a.length)
    expect(others).toEqual([])
    expect(everybody).toContain('{count, plural, one {# member} other {# members}}')
    expect(admin).toContain(ADMIN_TEXT)
    expect(admin.filter((message) => everybody.includes(message))).toEqual([])
    const translated = Object.keys((await (await openCatalog()).read(language)) ?? {})
    const loaded = new Set<string>([...everybody, ...admin, ...API_TEXTS])
    expect(translated.filter((message) => !loaded.has(message))).toEqual([])
  })
})
