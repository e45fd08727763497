import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { unpackShippedChromium } from './shipped-chromium.ts'

export interface Browser {
  executablePath: string
  /** The whole environment it is to be started with. */
  env: Record<string, string>
  args: string[]
  /** Where it comes from, and its version. */
  source: string
}

interface Candidate {
  executablePath: string
  source: string
  env?: Record<string, string>
}

const OLDEST_MAJOR = 120
// The shell without windows first: it draws the same pages for half the work.
const COMMANDS = [
  'chromium-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
]
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const WINDOWS_PROGRAMS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

/** It shows our own pages only, often in a container that allows no sandbox, and asks the network for nothing else. */
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

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where browsers of the system are. */
function systemPaths(): string[] {
  const { PATH = '', PROGRAMFILES, LOCALAPPDATA } = process.env
  if (process.platform === 'darwin') return MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`)
  if (process.platform === 'win32')
    return [PROGRAMFILES, process.env['PROGRAMFILES(X86)'], LOCALAPPDATA].flatMap((folder) =>
      folder ? WINDOWS_PROGRAMS.map((program) => path.join(folder, program)) : [],
    )
  return COMMANDS.flatMap((command) => PATH.split(path.delimiter).map((folder) => path.join(folder, command)))
}

async function* candidates(): AsyncGenerator<Candidate> {
  const { CHROMIUM_PATH, BROWSER_SOURCE } = process.env
  if (CHROMIUM_PATH) yield { executablePath: CHROMIUM_PATH, source: 'CHROMIUM_PATH' }
  if (BROWSER_SOURCE !== 'npm') {
    for (const executablePath of systemPaths()) yield { executablePath, source: 'system' }
    yield { executablePath: chromium.executablePath(), source: 'playwright' }
  }
  const shipped = await unpackShippedChromium(fileURLToPath(new URL('node_modules/.cache', import.meta.url)))
  if (shipped) yield { ...shipped, source: 'npm' }
}

/** The version it reports; null where it does not start or is too old. */
function versionOf({ executablePath, env }: Candidate): string | null {
  if (!isExecutable(executablePath)) return null
  // Chrome on Windows reports none.
  if (process.platform === 'win32') return 'on Windows'
  const { stdout } = spawnSync(executablePath, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, ...env },
  })
  const [text, major] = /(?:Chrom|Edge)\D*(\d+)\.[\d.]+/i.exec(stdout ?? '') ?? []
  return text && Number(major) >= OLDEST_MAJOR ? text : null
}

/**
 * Finds a Chromium to test with: `CHROMIUM_PATH`, one of the system, Playwright's own, or the one that npm ships (Linux x64).
 * `BROWSER_SOURCE=npm` asks for the last. Throws where none of them starts.
 */
export async function findBrowser(): Promise<Browser> {
  for await (const candidate of candidates()) {
    const version = versionOf(candidate)
    const { executablePath, source } = candidate
    if (version !== null) {
      const env = Object.entries({ ...process.env, ...candidate.env }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      return { executablePath, env: Object.fromEntries(env), args: ARGS, source: `${source}, ${version}` }
    }
    if (source === 'CHROMIUM_PATH')
      throw new Error(`CHROMIUM_PATH: ${executablePath} is no Chromium ${OLDEST_MAJOR} or newer that starts`)
  }
  throw new Error(
    'No Chromium was found. Install Chrome or Chromium (Debian: apt-get install chromium), or set CHROMIUM_PATH to one.',
  )
}
