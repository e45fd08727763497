import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { Client, NoAnswer } from '../harness/client.ts'
import { makeChallenge, makeTeam } from '../harness/community.ts'
import { atNewAddress } from '../harness/sign-in.ts'
import { ADMIN, freePort, type Settings, startServerWith } from '@community/testing/server'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, type Guarantee } from '../guarantee.ts'

/** Seconds: how wrong the servers' clocks are; the lives that the product promises; what passes until they are looked at. */
const OFF = 600
const LIVES = { code: 300, cooldown: 240, access: 900 }
const SLACK = { short: 5, full: 2, long: 2 }

const LIBFAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const hasLibrary = existsSync(LIBFAKETIME)

/** Moves the clock of a process: the system's calls where Debian's libfaketime is installed, else what JavaScript sees of it. */
function clockOff(seconds: number): Settings {
  const sign = seconds > 0 ? '+' : ''
  if (hasLibrary) return { LD_PRELOAD: LIBFAKETIME, FAKETIME: `${sign}${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
  const script = `const R=Date,o=${seconds * 1000};globalThis.Date=class extends R{constructor(...a){if(a.length)super(...a);else super(R.now()+o)}static now(){return R.now()+o}}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

const CLOCKS: [name: string, settings: Settings][] = [
  ['ten minutes ahead', { ...clockOff(OFF), TZ: 'Africa/Casablanca' }],
  ['ten minutes behind, in a zone with summer time', { ...clockOff(-OFF), TZ: 'America/New_York' }],
]

/** One server with a wrong clock, and who hears what does not hold there. */
interface Judged {
  fixture: Fixture
  client: Client
  isNear(found: number, wanted: number): boolean
  say(problem: string): void
}

/** Codes, and the wait before the next one. */
async function judgeCodes({ fixture: { sql, people, mail }, client, isNear, say }: Judged): Promise<string> {
  const from = atNewAddress()
  const member = await people.member()
  const forgot = () => client.call('POST /auth/forgot-password', { body: { email: member.email }, headers: from })
  await forgot()
  const code = await mail.codeFor(member.email)
  const [row] = await sql<{ left: number }[]>`
    select extract(epoch from expires_at - now())::float as left from codes where email = ${member.email}`
  if (!row) throw new NoAnswer('no code was kept')
  if (!isNear(row.left, LIVES.code)) say(`a code lives ${row.left} s`)
  const again = await forgot()
  const wait = Number(again.headers['retry-after'])
  if (again.status !== 429 || !isNear(wait, LIVES.cooldown)) say(`a second code is answered ${again.status}, ${wait} s`)
  await sql`update codes set expires_at = now() - interval '1 second' where email = ${member.email}`
  const reset = (password: string) =>
    client.call('POST /auth/reset-password', {
      body: { email: member.email, otp: code, password, confirmPassword: password },
      headers: from,
    })
  const late = await reset('Medersa-2026-new')
  if (late.body?.code !== 'CODE_EXPIRED') say(`a code that is over is answered ${late.status} ${late.body?.code}`)
  await sql`update codes set expires_at = now() + interval '20 seconds' where email = ${member.email}`
  const inTime = await reset('Medersa-2026-new')
  if (inTime.status !== 200) say(`a code in its time is answered ${inTime.status} ${JSON.stringify(inTime.body)}`)
  return `a code ${row.left.toFixed(0)} s, the wait for another ${wait} s`
}

async function judgeSignIns({ fixture: { sql, people }, client, isNear, say }: Judged): Promise<string> {
  const person = await people.member()
  const from = atNewAddress()
  const login = await client.call('POST /auth/login', {
    body: { email: person.email, password: ADMIN.password },
    headers: from,
  })
  const [access] = await sql<{ left: number }[]>`select extract(epoch from expires_at - now())::float as left
    from sessions where user_id = ${person.id} order by expires_at limit 1`
  if (login.status !== 200) say(`a sign-in is answered ${login.status}`)
  if (!access || !isNear(access.left, LIVES.access)) say(`an access token lives ${access?.left} s`)
  const profile = async () => (await client.call('GET /users/profile', { token: person.token })).status
  await sql`update sessions set expires_at = now() + interval '20 seconds' where user_id = ${person.id}`
  if ((await profile()) !== 200) say('a token in its time is refused')
  await sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${person.id}`
  if ((await profile()) !== 401) say('a token that is over is accepted')
  return `an access token ${access?.left.toFixed(0)} s`
}

async function judgeDeadlines({ fixture: { sql, people }, client, say }: Judged): Promise<void> {
  const chef = await people.member()
  const team = await makeTeam(client, chef)
  const { id } = await makeChallenge(client, await people.admin(), {
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const apply = () =>
    client.call(`POST /challenges/${id}/apply`, {
      token: chef.token,
      body: { teamId: team.id, type: 'link', content: 'https://example.ma/work' },
    })
  await sql`update challenges set deadline = now() - interval '1 second' where id = ${id}`
  const tooLate = await apply()
  if (tooLate.body?.code !== 'CHALLENGE_EXPIRED')
    say(`after the deadline: ${tooLate.status} ${JSON.stringify(tooLate.body)}`)
  await sql`update challenges set deadline = now() + interval '20 seconds' where id = ${id}`
  const before = await apply()
  if (before.status !== 201) say(`before the deadline: ${before.status} ${JSON.stringify(before.body)}`)
}

/** What a process with these settings takes the time to be, in seconds from ours. */
async function offBy(settings: Settings): Promise<number> {
  const env = { PATH: process.env.PATH, ...settings }
  const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'Date.now()'], { env })
  return Math.round((Number(stdout) - Date.now()) / 1000)
}

export const guarantee: Guarantee = {
  id: 'R24',
  statement: 'Codes, waits, tokens and deadlines last as long as they should on servers whose clocks are wrong',
  async run(context) {
    const { violations } = context
    const figures: Record<string, string> = {
      'clocks are moved by': hasLibrary ? 'libfaketime' : 'Date (no libfaketime here)',
    }
    const fixture = await context.open()
    for (const [name, settings] of CLOCKS) {
      const server = await startServerWith({ ...fixture.settings, ...settings, PORT: String(await freePort()) })
      const client = new Client(server.port)
      try {
        const off = await offBy(settings)
        if (Math.abs(Math.abs(off) - OFF) > 30)
          violations.push(`${name}: the clock is off by ${off} s: nothing was tried`)
        const isNear = (found: number, wanted: number) => Math.abs(found - wanted) <= byTier(context, SLACK)
        const judged: Judged = { fixture, client, isNear, say: (problem) => violations.push(`${name}: ${problem}`) }
        figures[name] = `off by ${off} s: ${await judgeCodes(judged)}, ${await judgeSignIns(judged)}`
        await judgeDeadlines(judged)
      } finally {
        client.close()
        await server.end('SIGKILL')
      }
    }
    return figures
  },
}
