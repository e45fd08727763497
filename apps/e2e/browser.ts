import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
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

const OLDEST = 120
// The shell without windows first: it draws the same pages for half the work.
const COMMANDS = [
  'chromium-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
]
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const WINDOWS_PROGRAMS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

/** It sees our own pages only, often in a container that allows no sandbox; and it asks the network for nothing else. */
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

const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function* systemBrowsers(): Generator<Candidate> {
  const { PATH = '', PROGRAMFILES, LOCALAPPDATA } = process.env
  const folders = PATH.split(path.delimiter)
  const places = COMMANDS.flatMap((command) => folders.map((folder) => path.join(folder, command)))
  if (process.platform === 'darwin')
    places.push(...MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`))
  if (process.platform === 'win32')
    for (const folder of [PROGRAMFILES, process.env['PROGRAMFILES(X86)'], LOCALAPPDATA])
      if (folder) places.push(...WINDOWS_PROGRAMS.map((program) => path.join(folder, program)))
  for (const executablePath of places) if (isExecutable(executablePath)) yield { executablePath, source: 'system' }
}

/** The one that `playwright install` downloads. */
function* downloadedBrowser(): Generator<Candidate> {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('@playwright/test'))
    const { chromium } = require('playwright-core') as { chromium: { executablePath(): string } }
    const executablePath = chromium.executablePath()
    if (isExecutable(executablePath)) yield { executablePath, source: 'playwright' }
  } catch {
    // This build of Playwright has none for the platform.
  }
}

async function* candidates(cache: string): AsyncGenerator<Candidate> {
  const { CHROMIUM_PATH, BROWSER_SOURCE } = process.env
  if (CHROMIUM_PATH) yield { executablePath: CHROMIUM_PATH, source: 'CHROMIUM_PATH' }
  if (BROWSER_SOURCE !== 'npm') {
    yield* systemBrowsers()
    yield* downloadedBrowser()
  }
  const shipped = await unpackShippedChromium(cache)
  if (shipped) yield { ...shipped, source: 'npm' }
}

/** The version it answers, with its major number; null when it does not start. */
function versionOf({ executablePath, env = {} }: Candidate): { text: string; major: number } | null {
  // Chrome on Windows answers no version; there it is taken at its word.
  if (process.platform === 'win32') return { text: 'on Windows', major: OLDEST }
  const { status, stdout } = spawnSync(executablePath, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, ...env },
  })
  const [text, major] = /(?:Chrom|Edge)\D*(\d+)\.[\d.]+/i.exec(stdout ?? '') ?? []
  return status === 0 && text ? { text, major: Number(major) } : null
}

/**
 * Finds a Chromium to test with: `CHROMIUM_PATH`, one of the system, Playwright's own, or the one that npm ships (Linux x64).
 * `BROWSER_SOURCE=npm` asks for the last.
 * @throws where none of them starts
 */
export async function findBrowser(): Promise<Browser> {
  const cache = fileURLToPath(new URL('node_modules/.cache', import.meta.url))
  for await (const candidate of candidates(cache)) {
    const version = versionOf(candidate)
    if (version && version.major >= OLDEST)
      return {
        executablePath: candidate.executablePath,
        env: { ...inherited(), ...candidate.env },
        args: ARGS,
        source: `${candidate.source}, ${version.text}`,
      }
    if (candidate.source === 'CHROMIUM_PATH')
      throw new Error(`CHROMIUM_PATH: ${candidate.executablePath} is no Chromium ${OLDEST} or newer that starts`)
  }
  throw new Error(
    'No Chromium was found. Install Chrome or Chromium (Debian: apt-get install chromium), or set CHROMIUM_PATH to one.',
  )
}
