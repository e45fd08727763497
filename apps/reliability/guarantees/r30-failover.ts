import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { repeat, times, uniqueName } from '@community/testing'
import {
  type ApiResponse,
  atNewAddress,
  describeResponse,
  isRetryLater,
  isSuccess,
  requestOf,
} from '@community/testing/api-client'
import { FAULTS, startPatroni } from '@community/testing/database/patroni'
import { type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { teamForm } from '@community/testing/community'
import { type Fixture, openFixtureOn } from '../harness/fixture.ts'
import { startLoad } from '../harness/load.ts'

/** Milliseconds from the promotion of a standby to ten successes. */
const BACK_WITHIN = 3000
/** Milliseconds that any response may take. */
const RESPONDS_WITHIN = 8000
const WRITERS = 4

/** Sends until a success, as a client that retries; `undefined` once the signal is aborted. */
async function retry(signal: AbortSignal, send: () => Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  while (!signal.aborted) {
    const response = await send()
    const isRunning = response.body?.code === 'IDEMPOTENCY_KEY_RUNNING'
    if (!isRetryLater(response) && !isRunning && response.status !== 0) return response
    await sleep(200)
  }
  return undefined
}

/** Clients that repeat each write under its Idempotency-Key until it succeeds, and request a code after it. */
async function startRetriedWrites(fixture: Pick<Fixture, 'clients' | 'createMembers'>, { expect }: GuaranteeContext) {
  const { clients, createMembers } = fixture
  const stop = new AbortController()
  const [client] = clients
  if (!client) throw new Error('no server')
  const form = await teamForm(client)
  const recipients = await createMembers(400)
  const sent: { team: string; recipient: string }[] = []
  const writers = times(WRITERS, async (writer) => {
    const [member] = await createMembers(1)
    await repeat(stop.signal, async (round) => {
      const { email } = recipients[(round * WRITERS + writer) % recipients.length] as { email: string }
      const [name, headers] = [uniqueName('Retried'), { 'idempotency-key': randomUUID() }]
      const create = () => client.call('POST /teams', { token: member?.token, body: { ...form, name }, headers })
      const created = await retry(stop.signal, create)
      if (!created) return
      // Its effect is stored, but the response was lost.
      const isSpent = created.body?.code === 'IDEMPOTENCY_KEY_SPENT'
      expect(isSuccess(created) || isSpent, `a retried team: ${describeResponse(created)}`)
      const isFirst = round * WRITERS + writer < recipients.length
      const request = () => client.call({ ...requestOf('auth.forgotPassword', { email }), headers: atNewAddress() })
      const mailed = isFirst ? await retry(stop.signal, request) : undefined
      // The first attempt may have been stored without a response.
      const isMailed = mailed && (isSuccess(mailed) || mailed.body?.code === 'CODE_TOO_SOON')
      expect(!mailed || isMailed === true, `a retried code: ${mailed && describeResponse(mailed)}`)
      sent.push({ team: name, recipient: isMailed ? email : '' })
      await sleep(100)
    })
  })
  return {
    async end() {
      stop.abort()
      await Promise.all(writers)
      return sent
    },
  }
}

export const guarantee: Guarantee = {
  id: 'R30',
  statement:
    'The failover of a PostgreSQL cluster loses and doubles no acknowledged write or job; a mail that comes twice has one Message-ID',
  // Requires root, and Debian's patroni and etcd-server.
  from: 'long',
  async run(context) {
    const { byTier, expect, expectNone, expectWithin, onFinished, log } = context
    const rounds = byTier({ short: 1, full: 4, long: 20 })
    const cluster = await startPatroni()
    const fixture = await openFixtureOn({
      url: cluster.url,
      settings: { DATABASE_URL: cluster.url },
      remove: cluster.remove,
    })
    onFinished(() => fixture.close())
    const { sql, mail } = fixture
    const back: Record<string, number[]> = {}
    const load = await startLoad(fixture, context, { respondsWithin: RESPONDS_WITHIN })
    const retried = await startRetriedWrites(fixture, context)
    for (let round = 0; round < rounds; round++)
      for (const fault of FAULTS) {
        const primary = await cluster.untilHealthy()
        await load.untilMore(20)
        const end = await cluster.failOver(primary, fault)
        const took = await load.untilMore(10)
        ;(back[fault] ??= []).push(took)
        expectWithin(BACK_WITHIN, took, `${fault}: the return after the promotion`)
        log(`${round} ${fault}: ${inMs(took)} after the promotion`)
        // The old primary comes back beside the new one.
        await end()
      }
    await cluster.untilHealthy()
    const writes = await retried.end()
    const stored = await load.end()
    const teams = await sql<{ name: string }[]>`select name from teams where name like 'Retried %'`
    const names = new Set(teams.map(({ name }) => name))
    for (const { team } of writes) expect(names.has(team), `acknowledged and lost: ${team}`)
    const recipients = writes.map(({ recipient }) => recipient).filter(Boolean)
    for (const email of recipients) {
      await mail.codeFor(email)
      const ids = new Set(mail.mailsTo(email).map(({ messageId }) => messageId))
      expect(ids.size === 1, `${ids.size} mails to ${email}`)
    }
    expectNone(await fixture.brokenInvariants())
    expectNone(fixture.crashes())
    const slowest = Object.entries(back).map(([fault, all]) => [`slowest return, ${fault}`, inMs(Math.max(...all))])
    return {
      failovers: rounds * FAULTS.length,
      'writes stored': stored,
      'retried writes': writes.length,
      mails: recipients.length,
      'mails sent twice': mail.mails.length - new Set(mail.mails.map(({ messageId }) => messageId)).size,
      ...load.figures(),
      ...Object.fromEntries(slowest),
    }
  },
}
