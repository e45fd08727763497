import { repeat, times, until } from '@community/testing'
import { Client, describeResponse, isSuccess } from '@community/testing/api-client'
import { type EventStream, openStream } from '@community/testing/event-stream'
import { startHaproxy } from '@community/testing/haproxy'
import type { Server } from '@community/testing/server'
import type { Guarantee } from '../guarantee.ts'

/** Streams of one person; a server allows ten. */
const PER_PERSON = 3
/** With a third of their streams cut off, still more than `UNREPEATED`. */
const PEOPLE = 180
/** The number of connections above which HAProxy no longer repeats reads. */
const UNREPEATED = 200
const READERS = 12

export const guarantee: Guarantee = {
  id: 'R34',
  statement:
    'Behind HAProxy no read fails when one of three servers dies, also while hundreds of event streams are open',
  // Requires Debian's haproxy.
  from: 'full',
  async run({ byTier, expect, onFinished, openFixture }) {
    const kills = byTier({ short: 3, full: 20, long: 100 })
    const fixture = await openFixture({ servers: 3 })
    const proxy = await startHaproxy(fixture.servers.map(({ port }) => port))
    onFinished(() => proxy.stop())
    const people = await fixture.createMembers(PEOPLE)
    let streams: { user: (typeof people)[number]; stream: EventStream }[] = []
    onFinished(() => streams.forEach(({ stream }) => stream.close()))
    const follow = async () => {
      streams = streams.filter(({ stream }) => !stream.isEnded())
      const missing = people.flatMap((user) => {
        const open = streams.filter(({ user: other }) => other === user).length
        return times(PER_PERSON - open, () => user)
      })
      const opening = missing.map(async (user) => ({
        user,
        stream: await openStream(`http://127.0.0.1:${proxy.port}`, { user }),
      }))
      streams.push(...(await Promise.all(opening)))
      const refused = streams.filter(({ stream }) => stream.status !== 200)
      expect(refused.length === 0, `${refused.length} streams were refused`)
    }
    const stop = new AbortController()
    let reads = 0
    const read = async (index: number) => {
      const client = new Client(proxy.port)
      await repeat(
        stop.signal,
        async () => {
          const response = await client.call('GET /users/dashboard', { token: people[index]?.token })
          reads++
          expect(isSuccess(response), `a read: ${describeResponse(response)}`)
        },
        1,
      )
    }
    await follow()
    const reading = Promise.all(times(READERS, read))
    let open = Number.POSITIVE_INFINITY
    for (let round = 0; round < kills; round++) {
      const server = fixture.servers[round % 3] as Server
      const target = reads + 200
      await until('200 more reads', () => reads >= target, 30_000)
      await server.end('SIGKILL')
      open = Math.min(open, streams.filter(({ stream }) => !stream.isEnded()).length)
      await server.start()
      await follow()
    }
    stop.abort()
    await reading
    expect(open > UNREPEATED, `only ${open} streams were left after a kill`)
    return { kills, reads, streams: PEOPLE * PER_PERSON, 'streams left after a kill': open }
  },
}
