import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client, describeResponse, requestOf, atNewAddress, fromNewAddress } from '@community/testing/api-client'
import type { Settings } from '@community/testing/server'
import type { Guarantee } from '../guarantee.ts'
import { createChallenge, createTeam } from '@community/testing/community'
import type { Fixture } from '../harness/fixture.ts'

/** Seconds: the error of the servers' clocks, and the specified lifetimes. */
const OFF = 600
const LIFETIMES = { code: 300, cooldown: 240, access: 900 }

/** Moves the clock of a Node.js process. */
function clockOff(seconds: number): Settings {
  const script = `const R=Date,o=${seconds * 1000};globalThis.Date=class extends R{constructor(...a){if(a.length)super(...a);else super(R.now()+o)}static now(){return R.now()+o}}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

const CLOCKS: [name: string, off: number, zone: string][] = [
  ['ten minutes ahead', OFF, 'Africa/Casablanca'],
  ['ten minutes behind, in a zone with summer time', -OFF, 'America/New_York'],
]

/** A server with a wrong clock, and its checks. */
interface Subject {
  fixture: Fixture
  client: Client
  expect(condition: boolean, violation: string): void
  isNear(found: unknown, wanted: number): boolean
}

async function checkCodes({ fixture, client, expect, isNear }: Subject): Promise<string> {
  const { clock, createMember, mail, sql } = fixture
  const [{ email }, headers] = [await createMember(), atNewAddress()]
  const forgot = () => client.call({ ...requestOf('auth.forgotPassword', { email }), headers })
  await forgot()
  const otp = await mail.codeFor(email)
  const [row] = await sql`select extract(epoch from expires_at - now())::int as left from codes where email = ${email}`
  expect(isNear(row?.left, LIFETIMES.code), `a code lives ${row?.left} s`)
  const again = await forgot()
  const wait = Number(again.headers['retry-after'])
  const isCooldown = again.status === 429 && isNear(wait, LIFETIMES.cooldown)
  expect(isCooldown, `a second code is answered ${again.status}, ${wait} s`)
  const reset = () => client.call({ ...requestOf('auth.resetPassword', { email, otp }), headers })
  await clock.expire('codes', { email })
  const late = await reset()
  expect(late.body?.code === 'CODE_EXPIRED', `an expired code is answered ${describeResponse(late)}`)
  await clock.expireIn(20, 'codes', { email })
  const inTime = await reset()
  expect(inTime.status === 200, `a valid code is answered ${describeResponse(inTime)}`)
  return `a code ${row?.left} s, the wait for another ${wait} s`
}

async function checkSignIns({
  fixture: { clock, createMember, sql },
  client,
  expect,
  isNear,
}: Subject): Promise<string> {
  const { id, email, token } = await createMember()
  const signIn = await client.call(fromNewAddress(requestOf('auth.login', { email })))
  const [access] = await sql`select extract(epoch from expires_at - now())::int as left
    from sessions where user_id = ${id} order by expires_at limit 1`
  expect(signIn.status === 200, `a sign-in is answered ${describeResponse(signIn)}`)
  expect(isNear(access?.left, LIFETIMES.access), `an access token lives ${access?.left} s`)
  const profileStatus = async () => (await client.call('GET /users/profile', { token })).status
  await clock.expireIn(20, 'sessions', { user_id: id })
  expect((await profileStatus()) === 200, 'a valid token is refused')
  await clock.expire('sessions', { user_id: id })
  expect((await profileStatus()) === 401, 'an expired token is accepted')
  return `an access token ${access?.left} s`
}

async function checkDeadlines({ fixture, client, expect }: Subject): Promise<void> {
  const { clock, createAdmin, createMember } = fixture
  const chef = await createMember()
  const { id: teamId } = await createTeam(client, chef)
  const { id } = await createChallenge(client, await createAdmin())
  const apply = () => client.call(requestOf('challenges.applyTo', { id, teamId }, chef))
  await clock.passDeadline(id)
  const late = await apply()
  expect(late.body?.code === 'CHALLENGE_EXPIRED', `after the deadline: ${describeResponse(late)}`)
  await clock.setDeadline(id, 20)
  const inTime = await apply()
  expect(inTime.status === 201, `before the deadline: ${describeResponse(inTime)}`)
}

/** Seconds by which the clock of a process with these settings differs from ours. */
async function offBy(settings: Settings): Promise<number> {
  const env = { PATH: process.env.PATH, ...settings }
  const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'Date.now()'], { env })
  return Math.round((Number(stdout) - Date.now()) / 1000)
}

export const guarantee: Guarantee = {
  id: 'R24',
  statement: 'Codes, cooldowns, tokens and deadlines keep their lifetimes on servers with wrong clocks',
  async run({ byTier, expect, openFixture }) {
    // Tolerance: time passes before a lifetime is read.
    const slack = byTier({ short: 5, full: 2 })
    const figures: Record<string, string> = {}
    const fixture = await openFixture()
    for (const [name, wanted, zone] of CLOCKS) {
      const settings = { ...clockOff(wanted), TZ: zone }
      const subject: Subject = {
        fixture,
        client: new Client((await fixture.startServer(settings)).port),
        expect: (condition, violation) => expect(condition, `${name}: ${violation}`),
        isNear: (found, lifetime) => Math.abs(Number(found) - lifetime) <= slack,
      }
      const off = await offBy(settings)
      subject.expect(Math.abs(off - wanted) <= 30, `the clock is off by ${off} s: nothing was tried`)
      figures[name] = `off by ${off} s: ${await checkCodes(subject)}, ${await checkSignIns(subject)}`
      await checkDeadlines(subject)
    }
    return figures
  },
}
