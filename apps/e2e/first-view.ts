// `pnpm --filter e2e first-view [runs] [place ...]`: how soon the demo shows what a link leads to, on a slow phone and on a desktop;
// fails if a median misses its goal. Run it alone on the machine.
import { median } from '@community/testing'
import { ADMIN, startStandaloneServer } from '@community/testing/server'
import { type Browser, chromium, type CDPSession } from '@playwright/test'
import { sendRequest, type Session, signInAt, storeSession } from './api.ts'
import { findBrowser } from './browser.ts'
import { SETTLED_MS, watchFirstView } from './first-view-metrics.ts'

/** Seeded by the demo, in a team. */
const DEMO_MEMBER = { email: 'member01@demo.community.local', password: 'Demo-2026' }

const RUNS = Number(process.argv[2] ?? 5)
const ONLY = process.argv.slice(3)

/** Chrome's preset "Slow 4G", in bytes per second. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }
const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, cpuSlowdown: 4, network: SLOW_4G },
  desktop: { viewport: { width: 1280, height: 900 }, cpuSlowdown: 1, network: undefined },
}
type Device = keyof typeof DEVICES

/** Medians may not exceed these. Milliseconds, kB; `cls` has no unit. */
const GOALS: Record<Device, Partial<Metrics>> = {
  phone: { row: 4500, lcp: 2300, cls: 0.05, tbt: 900, requests: 28, scripts: 16, kB: 260 },
  desktop: { cls: 0.05 },
}

interface Metrics {
  /** When the first row of the section, or its first text, is in the window. */
  row: number
  lcp: number
  cls: number
  tbt: number
  requests: number
  scripts: number
  kB: number
}

interface Place {
  hash: string
  row: string
  session?: Session
  /** Stricter than those of its device. */
  goals?: Partial<Metrics>
}

async function measure(
  browser: Browser,
  url: string,
  place: Place,
  device: Device,
  session?: Session,
): Promise<Metrics> {
  const { viewport, cpuSlowdown, network } = DEVICES[device]
  const context = await browser.newContext({ baseURL: url, viewport, reducedMotion: 'reduce', locale: 'en-GB' })
  try {
    const page = await context.newPage()
    if (session) await context.addInitScript(storeSession, session)
    // tsx wraps inner functions in a helper that the page does not have.
    await context.addInitScript('globalThis.__name = (target) => target')
    await context.addInitScript(watchFirstView, place.row)
    const client = await context.newCDPSession(page)
    const traffic = await countTraffic(client)
    if (network) await client.send('Network.emulateNetworkConditions', network)
    await client.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await page.goto(`/${place.hash}`, { waitUntil: 'load', timeout: 60_000 })
    await page.waitForFunction(() => window.firstView?.row !== undefined, undefined, { timeout: 60_000 })
    await traffic.untilQuiet()
    const view = await page.evaluate(() => window.firstView)
    if (!view) throw new Error('nothing was measured')
    const { row = Number.NaN, lcp, cls, tbt } = view
    return { row, lcp, cls, tbt, ...traffic.totals() }
  } finally {
    await context.close()
  }
}

/** Counts requests and transferred bytes, headers included. */
async function countTraffic(client: CDPSession) {
  let [requests, scripts, bytes, last] = [0, 0, 0, performance.now()]
  client.on('Network.requestWillBeSent', ({ type, request }) => {
    if (!request.url.startsWith('http')) return
    requests += 1
    if (type === 'Script') scripts += 1
    last = performance.now()
  })
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    last = performance.now()
  })
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  return {
    totals: () => ({ requests, scripts, kB: bytes / 1000 }),
    async untilQuiet(): Promise<void> {
      while (performance.now() - last < SETTLED_MS) await new Promise((resolve) => setTimeout(resolve, 100))
    },
  }
}

const server = await startStandaloneServer({}, ['demo'])
const { executablePath, env, args } = await findBrowser()
const browser = await chromium.launch({ executablePath, env, args })
try {
  const { challenges } = await sendRequest<{ challenges: { id: string }[] }>(server, 'GET /challenges?limit=1')
  const { teams } = await sendRequest<{ teams: { id: string }[] }>(server, 'GET /teams?limit=1')
  const admin = await signInAt(server, ADMIN)
  const member = await signInAt(server, DEMO_MEMBER)
  const places: Record<string, Place> = {
    front: { hash: '', row: 'main h1', goals: { scripts: 12 } },
    teams: { hash: '#teams', row: '#teams article' },
    challenges: { hash: '#challenges', row: '#challenges [role=tabpanel] li' },
    challenge: { hash: `#challenge-${challenges[0]?.id}`, row: `#challenge-${challenges[0]?.id}` },
    team: { hash: `#team-${teams[0]?.id}`, row: '#teams article' },
    works: { hash: '#works', row: '#works li' },
    leaderboard: { hash: '#leaderboard', row: '#leaderboard li, #leaderboard tbody tr' },
    contact: { hash: '#contact', row: '#contact h2' },
    member: { hash: '', row: 'main h1', session: member },
    dashboard: { hash: '#dashboard', row: 'main h2, main h3', session: admin },
    admin: { hash: '#admin', row: 'main h2, main h3', session: admin },
  }
  let misses = 0
  for (const device of ['phone', 'desktop'] as const) {
    const table: Record<string, Record<string, number>> = {}
    for (const [name, place] of Object.entries(places)) {
      if (ONLY.length > 0 && !ONLY.includes(name) && !ONLY.includes(device)) continue
      const runs: Metrics[] = []
      for (let run = 0; run < RUNS; run += 1)
        runs.push(await measure(browser, server.url, place, device, place.session))
      const medianOf = (key: keyof Metrics) => median(runs.map((metrics) => metrics[key]))
      const keys = Object.keys(runs[0] ?? {}) as (keyof Metrics)[]
      table[name] = Object.fromEntries(keys.map((key) => [key, Number(medianOf(key).toFixed(key === 'cls' ? 3 : 0))]))
      const goals = { ...GOALS[device], ...place.goals }
      for (const [key, goal] of Object.entries(goals) as [keyof Metrics, number][]) {
        if (medianOf(key) <= goal) continue
        misses += 1
        console.error(`${device} ${name}: ${key} ${medianOf(key).toFixed(3)} is above ${goal}`)
      }
    }
    if (Object.keys(table).length === 0) continue
    console.log(`${device}, median of ${RUNS}`)
    console.table(table)
  }
  if (misses > 0) process.exitCode = 1
} finally {
  await browser.close()
  await server.stop()
}
