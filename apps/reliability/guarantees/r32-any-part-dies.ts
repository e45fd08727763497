import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { repeat, times } from '@community/testing'
import { Client, isSuccess, outcomeOf } from '@community/testing/api-client'
import { startCeph } from '@community/testing/ceph'
import { type Node, startPatroni } from '@community/testing/database/patroni'
import { startHaproxy } from '@community/testing/haproxy'
import { realS3Settings } from '@community/testing/object-store'
import type { Guarantee, GuaranteeContext } from '../guarantee.ts'
import { download, upload } from '../harness/files.ts'
import { type FixtureOn, openFixtureOn } from '../harness/fixture.ts'
import { followModel, UNAVAILABLE } from '../harness/follow-model.ts'
import { startLoad } from '../harness/load.ts'

/** The shares of calls that must succeed. */
const AVAILABILITY = { reads: 0.999, writes: 0.99 }
/** Milliseconds between two calls of a client. */
const CALL_INTERVAL = 1000
/** Milliseconds until a killed part is started again. */
const DOWNTIME = 3000
function countCalls() {
  const counts = { reads: { sent: 0, failed: 0 }, writes: { sent: 0, failed: 0 } }
  const add = (kind: keyof typeof counts, isSuccessful: boolean) => {
    counts[kind].sent++
    if (!isSuccessful) counts[kind].failed++
  }
  return { counts, add }
}

/** Uploads files, and downloads earlier ones, until the signal is aborted; afterwards every acknowledged one must be there. */
async function exchangeFiles(
  { createMembers }: FixtureOn,
  { expect }: GuaranteeContext,
  proxy: { port: number },
  { add }: ReturnType<typeof countCalls>,
  signal: AbortSignal,
  seconds: number,
) {
  const members = await createMembers(seconds * 2)
  const stored: { path: string; headers: { authorization: string }; pdf: Buffer }[] = []
  const isWhole = async ({ path, headers, pdf }: (typeof stored)[number]) =>
    (await download(proxy, path, headers))?.equals(pdf) === true
  const pending: Promise<void>[] = []
  const exchange = async (round: number) => {
    const { token } = members[round % members.length] as { token: string }
    const pdf = Buffer.from(`%PDF-1.7\n${round}\n%%EOF\n`)
    const earlier = stored[(round * 7) % stored.length]
    if (earlier) add('reads', await isWhole(earlier))
    const { status, path } = await upload(proxy, { token }, pdf).catch(() => ({ status: 0, path: null }))
    add('writes', path !== null)
    if (path !== null) stored.push({ path, headers: { authorization: `Bearer ${token}` }, pdf })
    else expect(UNAVAILABLE.test(String(status)), `an upload is answered ${status}`)
  }
  await repeat(signal, async (round) => void pending.push(exchange(round)), CALL_INTERVAL)
  await Promise.all(pending)
  return { stored, isWhole }
}

export const guarantee: Guarantee = {
  id: 'R32',
  statement:
    'Of three servers behind HAProxy, three PostgreSQL nodes and three stores of files one is killed each minute: nothing is violated, 99.9 % of the reads and 99 % of the writes succeed',
  // Requires root, and Debian's haproxy, patroni, etcd-server, radosgw, ceph-mon, ceph-osd and ceph-mgr.
  from: 'full',
  async run(context) {
    const { byTier, expect, expectNone, onFinished, log, seed, tier } = context
    const [seconds, killsEvery] = byTier({ short: [60, 20], full: [180, 20], long: [600, 60] })
    const [cluster, ceph] = [await startPatroni(), await startCeph(3)]
    onFinished(() => ceph.remove())
    const fixture = await openFixtureOn(
      { url: cluster.url, settings: { DATABASE_URL: cluster.url }, remove: cluster.remove },
      { servers: 3, settings: { ...realS3Settings('any-part', ceph.env), WEBHOOKS_TO_PRIVATE_ADDRESSES: '1' } },
    )
    onFinished(() => fixture.close())
    const proxy = await startHaproxy(fixture.servers.map(({ port }) => port))
    onFinished(() => proxy.stop())
    const behindProxy = { ...fixture, client: new Client(proxy.port), clients: [new Client(proxy.port)] }
    const calls = countCalls()
    const failures: Record<string, number> = {}
    const load = await startLoad(behindProxy, context, {
      writers: 4,
      readers: 12,
      every: CALL_INTERVAL,
      allows: ({ status }) => UNAVAILABLE.test(String(status)),
      onResponse(response) {
        const isRead = response.line.startsWith('GET')
        calls.add(isRead ? 'reads' : 'writes', isSuccess(response))
        const outcome = outcomeOf(response)
        if (!isSuccess(response)) failures[outcome] = (failures[outcome] ?? 0) + 1
      },
    })
    const stop = new AbortController()
    const files = exchangeFiles(behindProxy, context, proxy, calls, stop.signal, seconds)
    const model = followModel(behindProxy, context, stop.signal)

    const parts = [
      ...fixture.servers.map((server, index) => ({
        name: `server ${index}`,
        async kill() {
          await server.end('SIGKILL')
          return () => server.start()
        },
      })),
      ...times(3, (index) => ({
        name: `node ${index}`,
        async kill() {
          const node = (await cluster.nodes())[index]
          log(`node ${index} is the ${node?.role}`)
          return cluster.breakNode(node as Node, 'killed')
        },
      })),
      ...times(3, (index) => ({ name: `store ${index}`, kill: () => ceph.kill(index) })),
    ]
    const killed: Record<string, number> = {}
    const endsAt = performance.now() + seconds * 1000
    for (const part of fc.sample(fc.constantFrom(...parts), { numRuns: 1000, seed })) {
      await Promise.all([cluster.untilHealthy(), ceph.untilHealthy()])
      if (performance.now() > endsAt) break
      const nextAt = performance.now() + killsEvery * 1000
      log(`kills ${part.name}`)
      const [kind = ''] = part.name.split(' ')
      killed[kind] = (killed[kind] ?? 0) + 1
      const revive = await part.kill()
      await sleep(DOWNTIME)
      await revive()
      await sleep(nextAt - performance.now())
    }
    stop.abort()
    const [modelled, { stored, isWhole }] = await Promise.all([model, files])
    const written = await load.end()
    for (const file of stored) expect(await isWhole(file), `acknowledged and lost: ${file.path}`)
    expectNone(await fixture.brokenInvariants())
    expectNone(fixture.crashes())
    const shares = Object.entries(calls.counts).map(([kind, { sent, failed }]) => {
      const share = 1 - failed / sent
      const least = AVAILABILITY[kind as keyof typeof AVAILABILITY]
      // The shorter forms kill more often.
      expect(tier !== 'long' || share >= least, `${failed} of ${sent} ${kind} failed`)
      return [kind, `${(share * 100).toFixed(3)} % of ${sent}`]
    })
    return {
      seconds,
      killed: JSON.stringify(killed),
      ...Object.fromEntries(shares),
      failures: JSON.stringify(failures),
      ...modelled,
      'writes stored': written,
      'files stored': stored.length,
    }
  },
}
