import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { limits } from '@community/contract'
import { PASSWORD, times } from '@community/testing'
import { dataOf, requestOf } from '@community/testing/api-client'
import fc from 'fast-check'
import type { Guarantee } from '../guarantee.ts'
import { createChallenge, createTeam } from '@community/testing/community'
import { CRON_EXIT, type CronState } from '../harness/cron-state.ts'
import type { Fixture } from '../harness/fixture.ts'
import type { User } from '@community/testing/database/users'

const SCRIPT = fileURLToPath(new URL('../harness/cron-script.ts', import.meta.url))

const HOUR = fc.record({
  newChallenges: fc.constantFrom(0, 0, 0, 1, 2),
  /** The steps after which the script is killed, one per start; a later start goes on. */
  kills: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
  /** Milliseconds after which the server is killed; null for most hours. */
  serverKill: fc.oneof(
    { arbitrary: fc.constant(null), weight: 4 },
    { arbitrary: fc.integer({ min: 300, max: 700 }), weight: 1 },
  ),
})
type Hour = typeof HOUR extends fc.Arbitrary<infer T> ? T : never

/** Everything that expires during the script's hours. */
const TIMES = {
  personal_tokens: ['created_at', 'expires_at', 'last_used_at'],
  idempotency_keys: ['created_at', 'expires_at', 'lease_until'],
  rate_limits: ['resets_at', 'under_way_until'],
}

async function passHour({ clock }: Fixture): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES))
    for (const column of columns) await clock.age(table, column, limits.HOUR)
}

async function createToken({ client, clock }: Fixture, chef: User, hours: number): Promise<string> {
  const name = `Cron, ${hours} hours`
  const form = { name, scopes: ['read', 'write'] as ('read' | 'write')[], currentPassword: PASSWORD }
  const { token, secret } = await dataOf(client.call(requestOf('users.createToken', form, chef)))
  await clock.expireIn(hours * limits.HOUR, 'personal_tokens', { id: token.id })
  return secret
}

/** Starts the script as cron does; resolves with its exit code, null if it was killed. */
async function start(file: string, killAfter?: number): Promise<{ code: number | null; error: string }> {
  const args = ['--import', 'tsx', SCRIPT, file, ...(killAfter === undefined ? [] : [String(killAfter)])]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let error = ''
  child.stderr.on('data', (chunk) => (error += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, error }
}

/** Kills the server during a start of the script, and starts it again. */
async function startWhileServerDies(fixture: Fixture, file: string, pause: number) {
  const script = start(file)
  await sleep(pause)
  await fixture.server.end('SIGKILL')
  const result = await script
  await fixture.server.start()
  return result
}

export const guarantee: Guarantee = {
  id: 'R31',
  statement:
    'A cron script with an access token, killed between its calls like the server, misses nothing and does nothing twice; its token ends on time',
  async run({ byTier, expect, expectNone, openFixture, onFinished, seed }) {
    const { rounds, hours } = byTier({
      short: { rounds: 1, hours: 12 },
      full: { rounds: 2, hours: 48 },
      long: { rounds: 10, hours: 48 },
    })
    /** The hours that the first token lasts. */
    const tokenHours = hours / 2 + 0.5
    const figures = { rounds, hours, challenges: 0, kills: 0, 'kills of the server': 0, 'asked for a new token': 0 }
    const polls = { polls: 0, notModified: 0 }
    const fixture = await openFixture()
    const { client, sql } = fixture
    const dir = await mkdtemp(path.join(os.tmpdir(), 'community-cron-'))
    onFinished(() => rm(dir, { recursive: true, force: true }))
    const file = path.join(dir, 'state.json')
    const readState = async () => JSON.parse(await readFile(file, 'utf8')) as CronState
    const writeState = (state: CronState) => writeFile(file, JSON.stringify(state))
    const admin = await fixture.createAdmin()

    for (const round of times(rounds, (index) => index)) {
      const chef = await fixture.createMember()
      const { id: teamId } = await createTeam(client, chef)
      const token = await createToken(fixture, chef, tokenHours)
      // Those of earlier rounds belong to another team.
      await sql`delete from submissions`
      await sql`delete from challenges`
      const url = `http://127.0.0.1:${fixture.server.port}/api`
      await writeState({ url, token, teamId, applications: {}, figures: { polls: 0, notModified: 0 } })
      const published: string[] = []
      let isRenewed = false

      const judge = async ({ code, error }: Awaited<ReturnType<typeof start>>, hour: number) => {
        if (code === null) figures.kills++
        if (code === CRON_EXIT.wrong) expectNone([`hour ${hour}: ${error}`])
        if (code !== CRON_EXIT.tokenExpired) return
        expect(!isRenewed && hour >= tokenHours, `the token expired at hour ${hour}`)
        isRenewed = true
        figures['asked for a new token']++
        await writeState({ ...(await readState()), token: await createToken(fixture, chef, hours) })
      }
      const runHour = async ({ newChallenges, kills, serverKill }: Hour, hour: number) => {
        for (const _challenge of times(newChallenges, (index) => index)) {
          // A second application would not be rejected.
          const deadline = new Date(Date.now() + 7 * limits.DAY * 1000).toISOString()
          published.push((await createChallenge(client, admin, { maxSubmissions: 5, deadline })).id)
        }
        for (const killAfter of kills) await judge(await start(file, killAfter), hour)
        if (serverKill !== null) {
          figures['kills of the server']++
          await judge(await startWhileServerDies(fixture, file, serverKill), hour)
        }
        await judge(await start(file), hour)
        if (hour > tokenHours + 1) expect(isRenewed, `at hour ${hour} the expired token is still accepted`)
        await passHour(fixture)
      }
      for (const [hour, plan] of fc.sample(HOUR, { numRuns: hours, seed: seed + round }).entries())
        await runHour(plan, hour)
      // What a killed server left is done, the next start stores the ETag, and the last finds nothing new.
      for (const _again of times(3, (index) => index)) await judge(await start(file), hours)

      const { applications, figures: read } = await readState()
      const rows = await sql<{ id: string; challenge_id: string }[]>`select id, challenge_id from submissions`
      const known = Object.entries(applications).map(([challenge, { submissionId }]) => `${challenge} ${submissionId}`)
      const stored = rows.map(({ id, challenge_id }) => `${challenge_id} ${id}`)
      expect(rows.length === published.length, `${rows.length} applications to ${published.length} challenges`)
      expect(known.toSorted().join() === stored.toSorted().join(), 'the script knows other submissions than there are')
      expect(isRenewed, 'the token never expired')
      figures.challenges += published.length
      polls.polls += read.polls
      polls.notModified += read.notModified
    }
    expect(polls.notModified > 0, 'no poll was answered 304')
    return { ...figures, polls: polls.polls, 'of them 304': polls.notModified }
  },
}
