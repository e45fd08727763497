import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import type { Figures } from './driver.ts'
import { type Program, WEB, WEB_DIST } from './programs.ts'

const kilobytes = (bytes: Uint8Array, quality: number): number =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length / 1000

const sum = (values: number[]): number => values.reduce((before, value) => before + value, 0)

/** React's own renderer, bundled alone. */
async function bundleReactDom(): Promise<Uint8Array> {
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
  return outputFiles[0]?.contents ?? new Uint8Array()
}

/** The scripts that index.html names: loaded before anything is requested. */
export async function measureFirstLoad(): Promise<Figures> {
  const page = readFileSync(path.join(WEB_DIST, 'index.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file = '']) => file)
  const script = sum(files.map((file) => kilobytes(readFileSync(path.join(WEB_DIST, file)), 11)))
  const reactDom = kilobytes(await bundleReactDom(), 11)
  return {
    'first script by brotli, kB': script,
    'react-dom alone, kB': reactDom,
    'first script, ratio': script / reactDom,
    'first chunks of the admin area': files.filter((file) => /admin/.test(path.basename(file))).length,
  }
}

/** The requests of the landing page for a visitor. */
const LANDING = [
  '/teams?limit=24',
  '/teams/leaderboard?limit=100',
  '/challenges?limit=50',
  '/submissions/approved?limit=12',
]

/** The size of these responses, compressed as a proxy would. */
export async function measureLandingData({ product: { port } }: { product: Program }): Promise<Figures> {
  const fetchBytes = async (line: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api${line}`)
    return kilobytes(new Uint8Array(await response.arrayBuffer()), 5)
  }
  return { 'landing data by brotli, kB': sum(await Promise.all(LANDING.map(fetchBytes))) }
}
