import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openObjectStore } from '../harness/object-store.ts'
import { freePort, MAIN, readiness, type Settings, startServer } from '../harness/server.ts'
import { openStage, type Stage } from '../harness/stage.ts'
import { byExtent, patience, type Proof, type Trial } from '../proof.ts'

/** Milliseconds until a wrong setting is told; until a missing service is, and a server is ready after its return, wide for a busy machine. */
const LIMITS = { wrong: 2000, away: 20_000, back: 15_000 }

interface Refused {
  code: number | null
  said: string
  took: number
}

/** Starts the server where it must not start. */
async function refusedStart(settings: Settings): Promise<Refused> {
  const began = performance.now()
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    env: { PATH: process.env.PATH, ...settings, PORT: settings.PORT ?? String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  return { code, said, took: performance.now() - began }
}

/** Settings that are wrong by themselves, by the name that must be told. */
const WRONG: [name: string, settings: Record<string, string | undefined>][] = [
  ['PORT', { PORT: '70000' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://app@127.0.0.1/x' }],
  ['APP_SECRET', { APP_SECRET: 'short' }],
  ['SMTP_URL', { SMTP_URL: 'mail.example' }],
  ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'password' }],
  ['S3_SECRET_ACCESS_KEY', { S3_BUCKET: 'community', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: undefined }],
  ['TRUST_PROXY', { TRUST_PROXY: 'everybody' }],
  ['DRAIN_SECONDS', { DRAIN_SECONDS: 'soon' }],
]

async function expectRefused(name: string, settings: Settings, within: number, violations: string[]): Promise<number> {
  const { code, said, took } = await refusedStart(settings)
  if (code !== 1) violations.push(`${name}: the start ended with ${code}`)
  if (!said.split('\n').some((line) => line.trim().startsWith(name))) violations.push(`${name} is not told: ${said}`)
  if (took > within) violations.push(`${name}: told only after ${Math.round(took)} ms`)
  return took
}

/** Without mail and without the provider of sign-ins it starts, and finds them later by itself. */
async function startsWithout(stage: Stage, violations: string[]): Promise<number> {
  const { mail, people, settings } = stage
  await mail.shut()
  const server = await startServer({
    ...settings,
    PORT: String(await freePort()),
    OAUTH_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OAUTH_CLIENT_ID: 'community',
    OAUTH_CLIENT_SECRET: 'a secret of a proof',
  })
  try {
    const { email } = await people.member()
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/auth/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    if (answer.status !== 200) violations.push(`without a mail server a new password is answered ${answer.status}`)
    await mail.open()
    const began = performance.now()
    await mail.codeFor(email)
    return performance.now() - began
  } finally {
    await server.end('SIGKILL')
  }
}

/** Started again and again, as by systemd, while the database is away: it serves soon after that is back. */
async function startedAgain(stage: Stage, trial: Trial, violations: string[]): Promise<number> {
  const settings = { ...stage.settings, PORT: String(await freePort()) }
  await stage.postgres.stop()
  await expectRefused('DATABASE_URL', settings, patience(trial, LIMITS.away), violations)
  let child: ReturnType<typeof spawn> | undefined
  let isOver = false
  const supervising = (async () => {
    for (; !isOver; await sleep(300)) {
      child = spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH, ...settings }, stdio: 'ignore' })
      await once(child, 'exit')
    }
  })()
  try {
    await sleep(1000)
    await stage.postgres.start()
    const began = performance.now()
    while ((await readiness(Number(settings.PORT))) !== 200) {
      if (performance.now() - began > 90_000) throw new Error('the server does not come up')
      await sleep(20)
    }
    const back = performance.now() - began
    if (back > patience(trial, LIMITS.back)) violations.push(`ready only ${Math.round(back)} ms after the database`)
    return back
  } finally {
    isOver = true
    child?.kill('SIGKILL')
    await supervising
  }
}

export const proof: Proof = {
  id: 'R23',
  promise: 'A wrong setting or a missing service stops the start by its name; mail and provider may come later',
  async run(trial) {
    const wrong = byExtent(trial, { short: WRONG.slice(0, 4), full: WRONG, long: WRONG })
    const violations: string[] = []
    const dir = await mkdtemp(path.join(os.tmpdir(), 'community-start-'))
    const store = await openObjectStore()
    const stage = await openStage()
    try {
      const base = { ...stage.settings, DATA_DIR: dir }
      const told: number[] = []
      for (const [name, change] of wrong) {
        const settings: Settings = { ...base }
        for (const [key, value] of Object.entries(change))
          if (value === undefined) delete settings[key]
          else settings[key] = value
        told.push(await expectRefused(name, settings, patience(trial, LIMITS.wrong), violations))
      }
      store.network.isRefusing = true
      const storage = await expectRefused(
        'S3_ENDPOINT',
        { ...base, ...store.settings },
        patience(trial, LIMITS.away),
        violations,
      )
      const mailed = await startsWithout(stage, violations)
      const back = await startedAgain(stage, trial, violations)
      violations.push(...(await stage.brokenInvariants()))
      return {
        figures: {
          'wrong settings, each told by its name': `${wrong.length}, the slowest after ${Math.round(Math.max(...told))} ms`,
          'storage away at the start': `told after ${Math.round(storage)} ms`,
          'mail away at the start': `the first mail ${Math.round(mailed)} ms after its return`,
          'database away at the start': `ended with its name; ready ${Math.round(back)} ms after its return, started again by a supervisor`,
        },
        violations,
      }
    } finally {
      await stage.close()
      store.close()
      await rm(dir, { recursive: true, force: true })
    }
  },
}
