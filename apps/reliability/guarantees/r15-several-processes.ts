import { randomBytes } from 'node:crypto'
import { type Answer, type Call, type Client, overAll, tally } from '../harness/client.ts'
import { teamForm, must } from '../harness/community.ts'
import { ADMIN } from '@community/testing/server'
import { atNewAddress, giveRefreshToken, wrongCode } from '../harness/sign-in.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, type Guarantee } from '../guarantee.ts'

const PROCESSES = 3
/** What the product allows, as its specification and decisions say. */
const WRONG_PASSWORDS_OF_ONE_PLACE = 10
const WRONG_PASSWORDS_OF_ALL_PLACES = 30
const WRONG_CODES_OF_ONE_ID = 5
const MAIL_CALLS_OF_ONE_PLACE = 300
const NEW_PASSWORD = 'Zellige-2026-guarantee'

type Round = (fixture: Fixture) => Promise<string[]>

const times = <T>(count: number, make: (turn: number) => T): T[] =>
  Array.from({ length: count }, (_, turn) => make(turn))
const newEmail = () => `${randomBytes(8).toString('hex')}@example.ma`

function expectCount(what: string, answers: Answer[], key: string, expected: number): string[] {
  const found = tally(answers)
  return (found[key] ?? 0) === expected ? [] : [`${what}: ${JSON.stringify(found)} instead of ${expected} × ${key}`]
}

/** The same calls, dealt out to the processes in turn, some at once. */
async function inBatches({ clients }: Fixture, calls: Call[], size = 60): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let start = 0; start < calls.length; start += size)
    answers.push(...(await overAll(clients, calls.slice(start, start + size))))
  return answers
}

/** Of many wrong passwords from one place ten are compared, from ever new places thirty. */
const wrongPasswords: Round = async (fixture) => {
  const [one, other] = await fixture.people.members(2)
  if (!one || !other) throw new Error('two were made')
  const here = atNewAddress()
  const guess = (email: string, turn: number, headers: Record<string, string>) => ({
    line: 'POST /auth/login',
    body: { email, password: `Wrong-${turn}` },
    headers,
  })
  const fromHere = await inBatches(
    fixture,
    times(40, (turn) => guess(one.email, turn, here)),
  )
  const fromAnywhere = await inBatches(
    fixture,
    times(60, (turn) => guess(other.email, turn, atNewAddress())),
    20,
  )
  const wrong = '401 WRONG_CREDENTIALS'
  return [
    ...expectCount('wrong passwords from one place', fromHere, wrong, WRONG_PASSWORDS_OF_ONE_PLACE),
    ...expectCount('wrong passwords from many places', fromAnywhere, wrong, WRONG_PASSWORDS_OF_ALL_PLACES),
  ]
}

/** Strangers use up the attempts of a code that everybody shares; those of its owner's id are five, and the right one is right. */
const codesApart: Round = async (fixture) => {
  const [one, other] = await fixture.people.members(2)
  if (!one || !other) throw new Error('two were made')
  const reset = ({ email }: { email: string }, otp: string, resetId?: string) => ({
    line: 'POST /auth/reset-password',
    body: { email, otp, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD, ...(resetId && { resetId }) },
    headers: atNewAddress(),
  })
  const begin = async ({ email }: { email: string }) => {
    const { client } = fixture
    const { resetId } = await must(
      client.call('POST /auth/forgot-password', { body: { email }, headers: atNewAddress() }),
    )
    return { code: await fixture.mail.codeFor(email), resetId: String(resetId) }
  }
  const [mine, theirs] = [await begin(one), await begin(other)]
  const strangers = await inBatches(
    fixture,
    times(100, (turn) => reset(one, wrongCode(mine.code, turn))),
  )
  const owner = await overAll(fixture.clients, [reset(one, mine.code, mine.resetId)])
  await inBatches(
    fixture,
    times(30, (turn) => reset(other, wrongCode(theirs.code, turn), theirs.resetId)),
  )
  const [compared] =
    await fixture.sql`select count from rate_limits where key = ${`code-failures:reset:${other.email}:ids`}`
  return [
    ...expectCount('codes of strangers', strangers, '400 CODE_INVALID', 100),
    ...expectCount('the right code with its id', owner, '200', 1),
    ...(compared?.count === WRONG_CODES_OF_ONE_ID ? [] : [`codes of one id: ${compared?.count} compared`]),
  ]
}

/** One address may have so many mails asked for in an hour, whomever they are for. */
const mailCalls: Round = async (fixture) => {
  const headers = atNewAddress()
  // Only what nobody can receive: what is counted is the asking.
  const ask = () => ({ line: 'POST /auth/send-otp', body: { email: newEmail() }, headers })
  const answers = await inBatches(fixture, times(MAIL_CALLS_OF_ONE_PLACE + 60, ask))
  return expectCount('mails asked for from one place', answers, '200', MAIL_CALLS_OF_ONE_PLACE)
}

/** Whoever asks thirty times at once is mailed one code, by whichever process; the others are told how long to wait. */
const cooldown: Round = async (fixture) => {
  const { email } = await fixture.people.member()
  const ask = () => ({ line: 'POST /auth/forgot-password', body: { email }, headers: atNewAddress() })
  const answers = await overAll(fixture.clients, times(30, ask))
  const queued = await fixture.sql`select id from jobs where recipient = ${email}`
  const late = answers.filter(({ status }) => status === 429)
  const told = late.filter(({ body }) => body.cooldown > 230 && body.cooldown <= 240)
  return [
    ...expectCount('codes asked for', answers, '200', 1),
    ...expectCount('codes asked for', answers, '429 CODE_TOO_SOON', 29),
    ...(queued.length === 1 ? [] : [`cooldown: ${queued.length} mails`]),
    ...(told.length === late.length ? [] : ['cooldown: not the seconds that are left']),
  ]
}

/** Once a switch is answered by one process, no process makes a team; once it is back, each does. */
const settings: Round = async (fixture) => {
  const { clients, people } = fixture
  const admin = await people.admin()
  const members = await people.members(PROCESSES)
  const turn = async (client: Client, enabled: boolean) => {
    const body = { enabled, password: ADMIN.password }
    await must(client.call('PUT /admin/settings/team-creation', { token: admin.token, body }))
  }
  const createEverywhere = () =>
    Promise.all(
      clients.map(async (client, number) => {
        const body = await teamForm(client)
        return client.call('POST /teams', { body, token: members[number]?.token })
      }),
    )
  const violations: string[] = []
  for (const client of clients) {
    await turn(client, false)
    violations.push(...expectCount('switched off', await createEverywhere(), '403 TEAM_CREATION_DISABLED', PROCESSES))
    await turn(client, true)
    violations.push(...expectCount('switched on', await createEverywhere(), '201', PROCESSES))
  }
  return violations
}

/** A chain of refreshes, each at another process, each asked of all of them at once: one successor every time. */
const refreshes: Round = async (fixture) => {
  const person = await fixture.people.member()
  let token = await giveRefreshToken(fixture.sql, person)
  const violations: string[] = []
  for (let link = 0; link < 6; link++) {
    const trade = { line: 'POST /auth/refresh', body: { refreshToken: token }, headers: atNewAddress() }
    const answers = await overAll(
      fixture.clients,
      times(2 * PROCESSES, () => trade),
    )
    const successors = new Set(answers.map(({ body }) => String(body?.data?.refreshToken)))
    if (successors.size !== 1)
      violations.push(`refresh ${link}: ${JSON.stringify(tally(answers))}, ${successors.size} successors`)
    const elsewhere = fixture.clients[link % PROCESSES]
    for (const { body } of answers) {
      const profile = await elsewhere?.call('GET /users/profile', { token: body?.data?.token })
      if (profile?.status !== 200)
        violations.push(`refresh ${link}: a token of one process is ${profile?.status} at another`)
    }
    token = [...successors][0] ?? ''
  }
  return violations
}

const ROUNDS = { wrongPasswords, codesApart, mailCalls, cooldown, settings, refreshes }

export const guarantee: Guarantee = {
  id: 'R15',
  statement:
    'Over three processes a limit of so many admits exactly so many, a cooldown, a setting and a token are one and the same',
  async run(context) {
    const { violations } = context
    const repetitions = byTier(context, { short: 1, full: 20, long: 100 })
    const fixture = await context.open({ servers: PROCESSES })
    for (let round = 0; round < repetitions; round++)
      for (const one of Object.values(ROUNDS))
        violations.push(...(await one(fixture)).map((line) => `round ${round}, ${line}`))
    return { repetitions, processes: PROCESSES, limits: Object.keys(ROUNDS).length }
  },
}
