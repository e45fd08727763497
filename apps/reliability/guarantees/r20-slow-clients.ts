import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFiles, untilNone } from '../harness/open-files.ts'
import { quantile, resident } from '../harness/resident.ts'
import type { Fixture } from '../harness/fixture.ts'
import { standStill } from '../harness/unread-downloads.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

/** Milliseconds that others wait (99 %), and how much slower than without the hostile; megabytes more than before. */
const LIMITS = { others: 1000, slower: 4, memory: 200 }

const FILE_BYTES = 9_000_000
const PDF = '%PDF-1.7\n'
const upload = (token: string) =>
  `POST /api/upload/single HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${PDF}`

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const headOf = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
const LOGIN = '{"email":"a@example.ma","password":"Nobody-1"}'

interface Manner {
  name: string
  /** What a hostile client sends at first. */
  opening(token: string): string
  /** Does a byte follow now and again? */
  drips: boolean
  reads: boolean
}
const HOSTILE: Manner[] = [
  { name: 'slow headers', opening: () => 'GET /api/teams HTTP/1.1\r\nHost: x\r\nX-Slow: ', drips: true, reads: true },
  { name: 'slow body', opening: () => `${headOf('/api/auth/login', 900)}{"email":"`, drips: true, reads: true },
  // What comes first fills all that the system holds for them: the calls wait behind it.
  {
    name: 'slow reading',
    opening: () => get('/api/openapi.json').repeat(10) + get('/api/roles').repeat(6),
    drips: false,
    reads: false,
  },
  { name: 'slow upload', opening: upload, drips: true, reads: true },
]

/** How often in a round those break off who do not wait for answers. */
const BREAKS = 5

interface Hostile {
  /** How many the server has hung up on. */
  closed(): number
  /** Resets all of them. */
  end(): void
}

async function besiege(port: number, tokens: string[]): Promise<Hostile> {
  const clients = HOSTILE.flatMap((manner) =>
    tokens.map((token) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.on('connect', () => socket.write(manner.opening(token)))
      // Who does not read is not told either that the server hung up.
      if (manner.reads) socket.resume()
      else socket.pause()
      return { socket, manner }
    }),
  )
  await sleep(200)
  const drip = setInterval(() => {
    for (const { socket, manner } of clients) if (manner.drips && !socket.destroyed) socket.write('a')
  }, 1000)
  const closed = new Set<net.Socket>()
  for (const { socket } of clients) socket.on('close', () => closed.add(socket))
  return {
    closed: () => closed.size,
    end() {
      clearInterval(drip)
      for (const { socket } of clients) socket.resetAndDestroy()
    },
  }
}

/** Clients that ask hundreds of times without waiting for an answer, and break off while the first are being answered. */
async function breakOff(port: number, file: string, times: number): Promise<void> {
  const login = headOf('/api/auth/login', LOGIN.length) + LOGIN
  const openings = [
    login + get('/api/roles').repeat(400) + login,
    get('/trpc/roles.list').repeat(400),
    get(file).repeat(100),
  ]
  for (let turn = 0; turn < times; turn++)
    await Promise.all(
      openings.map(async (opening) => {
        const socket = net.connect(port, '127.0.0.1').pause()
        socket.on('error', () => {})
        await once(socket, 'connect')
        socket.write(opening)
        await sleep(25)
        socket.resetAndDestroy()
      }),
    )
}

/** A file of nine megabytes, which no system holds for a reader: its path. */
async function largeFile(port: number, token: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File([Buffer.alloc(FILE_BYTES, PDF)], 'large.pdf', { type: 'application/pdf' }))
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/upload/single`, { method: 'POST', headers, body: form })
  const { data } = (await answer.json()) as { data: { file: { secureUrl: string } } }
  return new URL(data.file.secureUrl).pathname
}

/** How long ordinary calls take, in milliseconds. */
async function ordinary(fixture: Fixture, count: number, violations: string[]): Promise<number[]> {
  const [client] = fixture.clients
  const took: number[] = []
  for (let turn = 0; turn < count; turn++) {
    const answer = await client?.call(turn % 2 ? 'GET /teams' : 'GET /trpc/roles.list')
    if (answer?.status !== 200) violations.push(`an ordinary call is answered ${answer?.status}`)
    took.push(answer?.took ?? Number.POSITIVE_INFINITY)
  }
  return took
}

export const guarantee: Guarantee = {
  id: 'R20',
  statement:
    'Clients that send or read slowly, ask without waiting, or hang up in the midst of it, take nothing from the others',
  async run(context) {
    const { violations } = context
    const [each, rounds, waits] = byTier(context, {
      short: [60, 2, 0],
      full: [250, 3, 45_000],
      long: [250, 6, 45_000],
    } as const)
    const fixture = await context.open()
    const { server } = fixture
    const tokens = (await fixture.people.members(each)).map(({ token }) => token)
    const file = await largeFile(server.port, tokens[0] ?? '')
    await ordinary(fixture, 50, violations)
    const usual = await ordinary(fixture, 100, violations)
    const memoryBefore = await resident(server.pid())
    const besieged: number[] = []
    let memory = 0
    let uploads = 0
    let closed = 0
    for (let round = 0; round < rounds; round++) {
      const hostile = await besiege(server.port, tokens)
      besieged.push(...(await ordinary(fixture, 100, violations)))
      uploads = Math.max(uploads, await openFiles(server.pid(), 'community-upload-'))
      const breakingOff = breakOff(server.port, file, BREAKS)
      besieged.push(...(await ordinary(fixture, 100, violations)))
      await breakingOff
      // Who sends nothing whole within half a minute is hung up on, when the server looks next: every half minute.
      if (round === 0) await sleep(waits)
      closed = Math.max(closed, hostile.closed())
      memory = Math.max(memory, await resident(server.pid()))
      hostile.end()
      const left = await untilNone(() => openFiles(server.pid(), 'community-upload-'), 10_000)
      if (left > 0) violations.push(`${left} uploads that were broken off are still on disk`)
      const open = await untilNone(() => openFiles(server.pid(), '/files/'), 10_000)
      if (open > 0) violations.push(`${open} files that nobody reads any more are still open`)
    }
    const [before, others] = [quantile(usual, 0.5), quantile(besieged, 0.5)]
    const slowest = quantile(besieged, 0.99)
    if (uploads === 0) violations.push('no upload was under way: nothing was tried')
    if (waits > 0 && closed < each * 2) violations.push(`only ${closed} slow clients were hung up on`)
    if (slowest > timeLimit(context, LIMITS.others)) violations.push(`others waited ${Math.round(slowest)} ms`)
    if (others > timeLimit(context, before * LIMITS.slower + 100))
      violations.push(`others took ${others} ms instead of ${before}`)
    if (memory - memoryBefore > LIMITS.memory) violations.push(`the server holds ${memory - memoryBefore} MB more`)
    const unread = await standStill(server, { path: file, bytes: FILE_BYTES }, waits > 0, violations)
    await ordinary(fixture, 50, violations)
    const whole = await (await fetch(`http://127.0.0.1:${server.port}${file}`)).arrayBuffer()
    if (whole.byteLength !== FILE_BYTES) violations.push(`afterwards a file has ${whole.byteLength} bytes`)
    const rows = await fixture.sql`select 1 from uploads`
    if (rows.length !== 1) violations.push(`${rows.length - 1} uploads that never ended were kept`)
    if (!server.isAlive()) violations.push(`the server ended: ${server.output()}`)
    return {
      'hostile clients at once': each * HOSTILE.length,
      'times that three others broke off after hundreds of requests': rounds * BREAKS,
      'uploads under way, all gone afterwards': uploads,
      ...(waits > 0 && { 'hung up on within 65 s': closed }),
      'others, median and 99 %': `${before.toFixed(1)} ms before, ${others.toFixed(1)} and ${slowest.toFixed(1)} ms meanwhile`,
      'downloads that stand still, of four addresses': unread,
      memory: `${memoryBefore} MB before, ${memory} MB at most`,
    }
  },
}
