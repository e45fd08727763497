import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { unpackShippedChromium } from './shipped-chromium.ts'

interface Candidate {
  executablePath: string
  source: string
  env?: Record<string, string>
}

/** The journeys are not tried with older ones. */
const OLDEST_SUPPORTED_MAJOR = 120
// Prefer the headless shell: it renders the same pages for half the CPU time.
const COMMANDS = [
  'chromium-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Without a sandbox, which many containers forbid and our own pages do not need, and without requests of Chromium's own. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

async function* candidates({ CHROMIUM_PATH, BROWSER_SOURCE, PATH = '' }: NodeJS.ProcessEnv): AsyncGenerator<Candidate> {
  if (BROWSER_SOURCE !== 'npm') {
    if (CHROMIUM_PATH) yield { executablePath: CHROMIUM_PATH, source: 'CHROMIUM_PATH' }
    for (const command of COMMANDS)
      for (const folder of PATH.split(path.delimiter))
        yield { executablePath: path.resolve(folder, command), source: 'system' }
    yield { executablePath: chromium.executablePath(), source: 'playwright' }
  }
  const shipped = await unpackShippedChromium(fileURLToPath(new URL('node_modules/.cache', import.meta.url)))
  if (shipped) yield { ...shipped, source: 'npm' }
}

/** The version that a Chromium reports; null if it does not start or is too old. */
function versionOf({ executablePath, env }: Candidate): string | null {
  // Chrome on Windows reports none.
  if (process.platform === 'win32') return existsSync(executablePath) ? 'on Windows' : null
  const { stdout } = spawnSync(executablePath, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, ...env },
  })
  const [text, major] = /Chrom\D*(\d+)\.[\d.]+/.exec(stdout ?? '') ?? []
  return text && Number(major) >= OLDEST_SUPPORTED_MAJOR ? text : null
}

/**
 * Finds a Chromium to test with: `CHROMIUM_PATH`, one of the system, Playwright's own, or that of `@sparticuz/chromium` (Linux x64).
 * `BROWSER_SOURCE=npm` selects the last. Throws if none of them starts.
 */
export async function findBrowser(variables = process.env) {
  for await (const candidate of candidates(variables)) {
    const version = versionOf(candidate)
    const { executablePath, source } = candidate
    if (version !== null) {
      // The complete environment of the browser process.
      const env = { ...process.env, ...candidate.env } as Record<string, string>
      return { executablePath, env, args: ARGS, source: `${source}, ${version}` }
    }
    if (source === 'CHROMIUM_PATH')
      throw new Error(`CHROMIUM_PATH: ${executablePath} is no Chromium ${OLDEST_SUPPORTED_MAJOR} or newer that starts`)
  }
  throw new Error(
    `No Chromium ${OLDEST_SUPPORTED_MAJOR} or newer that starts was found. Install Chrome or Chromium (Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or set CHROMIUM_PATH to one.`,
  )
}
