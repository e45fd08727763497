import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { type Program, WEB, WEB_DIST } from './programs.ts'
import type { Figures } from './scenarios.ts'

const brotli = (bytes: Buffer | Uint8Array, quality: number) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length

/** What the page loads before anything is asked for: it names all of it. */
function firstChunks(): string[] {
  const page = readFileSync(path.join(WEB_DIST, 'index.html'), 'utf8')
  return [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file = '']) => file)
}

/** What React's own renderer weighs, bundled alone. */
async function reactDom(): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createRoot } from 'react-dom/client'; globalThis.root = createRoot`,
      resolveDir: WEB,
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return brotli(outputFiles[0]?.contents ?? new Uint8Array(), 11)
}

export async function measureFirstLoad(): Promise<Figures> {
  const files = firstChunks()
  const sizes = files.map((file) => brotli(readFileSync(path.join(WEB_DIST, file)), 11))
  const [script, alone] = [sizes.reduce((sum, size) => sum + size, 0), await reactDom()]
  return {
    'first script by brotli, kB': script / 1000,
    'react-dom alone, kB': alone / 1000,
    'first script, to react-dom': script / alone,
    'first chunks of the admin area': files.filter((file) => /admin/.test(path.basename(file))).length,
  }
}

/** What the page's sections ask for when a visitor comes, in the sizes in which they ask. */
const LANDING = {
  teams: '/api/teams?limit=24',
  leaderboard: '/api/teams/leaderboard?limit=100',
  challenges: '/api/challenges?limit=50',
  works: '/api/submissions/approved?limit=12',
}

/** The answers as a proxy would compress them. */
export async function measureLandingData({ port }: Program): Promise<Figures> {
  const found: Figures = {}
  for (const [name, call] of Object.entries(LANDING)) {
    const answer = await fetch(`http://127.0.0.1:${port}${call}`)
    found[`landing data: ${name}, kB`] = brotli(Buffer.from(await answer.arrayBuffer()), 5) / 1000
  }
  const total = Object.values(found).reduce((sum, kilobytes) => sum + kilobytes, 0)
  return { 'landing data by brotli, kB': total, ...found }
}
