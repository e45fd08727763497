import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, quantile, residentMegabytes, times, until } from '@community/testing'
import type { Server } from '@community/testing/server'
import { type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { download, openFiles, upload } from '../harness/files.ts'
import { timeCalls } from '../harness/load.ts'

/** For other clients: milliseconds (99th percentile) and the factor over their calm time; megabytes the server may grow by. */
const LIMITS = { others: 1000, slower: 4, memory: 200 }
/** More than the socket buffers of any system hold. */
const FILE = Buffer.alloc(9_000_000, '%PDF-1.7\n')
/** Pipelining clients that disconnect, per round. */
const DISCONNECTS = 5
/** Addresses of unread downloads; the server ends each after 20 s, two of its checks and a delay under load. */
const UNREAD = { downloads: 200, addresses: 4, endWithin: 40_000 }

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const post = (path: string, headers: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`
const login = (bytes: number, body: string) =>
  post('/api/auth/login', `Content-Type: application/json\r\nContent-Length: ${bytes}`, body)
const uploadBy = (token: string) =>
  post(
    '/api/upload/single',
    `Authorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000`,
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n',
  )

/** Requests of clients that read, and send one more byte at intervals. */
const DRIPPING: ((token: string) => string)[] = [
  () => 'GET /api/teams HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  () => login(900, '{"email":"'),
  uploadBy,
]
/** Requests of clients that read nothing. The first responses fill the socket buffers; the other requests wait behind them. */
const UNREADING = get('/api/openapi.json').repeat(5) + get('/api/roles').repeat(3)

function connect({ port }: Server, opening: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(opening)
  return socket
}

/** Connects the hostile clients, one of each kind for each token. */
async function connectHostileClients(server: Server, tokens: string[]) {
  const dripping = DRIPPING.flatMap((opening) => tokens.map((token) => connect(server, opening(token)).resume()))
  const sockets = [...dripping, ...tokens.map(() => connect(server, UNREADING))]
  let closed = 0
  for (const socket of sockets) socket.on('close', () => closed++)
  const areUploading = async () => (await openFiles(server, 'community-upload-')) > 0
  await until('uploads are under way', areUploading, 10_000)
  const drip = setInterval(() => {
    for (const socket of dripping) if (!socket.destroyed) socket.write('a')
  }, 1000)
  return {
    /** The number of clients that the server has disconnected. */
    countClosed: () => closed,
    end() {
      clearInterval(drip)
      for (const socket of sockets) socket.resetAndDestroy()
    },
  }
}

/** Clients that pipeline and disconnect during the first responses: eight requests, the most that are accepted, or hundreds. */
async function pipelineAndDisconnect(server: Server, file: string): Promise<void> {
  const body = '{"email":"a@example.ma","password":"Nobody-1"}'
  const signIn = login(body.length, body)
  const openings = [
    signIn + get('/api/roles').repeat(400) + signIn,
    get('/trpc/roles.list').repeat(400),
    get('/api/roles').repeat(8),
    get(file).repeat(8),
    get(file).repeat(100),
  ]
  for (let round = 0; round < DISCONNECTS; round++)
    await Promise.all(
      openings.map(async (opening) => {
        const socket = connect(server, opening)
        await once(socket, 'connect')
        // A moment within the first responses, not a wait for them.
        await sleep(25)
        socket.resetAndDestroy()
      }),
    )
}

/** Unread downloads take no slot of another address, and are disconnected. */
async function downloadUnread({ expect }: GuaranteeContext, server: Server, file: string, isAwaited: boolean) {
  const addresses = times(UNREAD.downloads, (number) => `198.51.100.${(number % UNREAD.addresses) + 1}`)
  const sockets = addresses.map((address) => connect(server, get(file, `X-Forwarded-For: ${address}\r\n`)))
  try {
    // Nothing tells when the kernels' buffers are full: the downloads then simply stand still.
    await sleep(3000)
    const held = await openFiles(server, '/files/')
    const startedAt = performance.now()
    const whole = await download(server, file, { 'x-forwarded-for': '198.51.100.200' })
    expect(whole?.length === FILE.length, `a fifth address is sent ${whole?.length} bytes`)
    const figure = `${held} held, a fifth address had its file after ${inMs(performance.now() - startedAt)}`
    if (!isAwaited) return figure
    const hasEnded = async () => (await openFiles(server, '/files/')) === 0
    const ended = await until('downloads that nobody reads end', hasEnded, UNREAD.endWithin)
    return `${figure}; all ended after ${Math.round(ended / 1000)} s more`
  } finally {
    for (const socket of sockets) socket.resetAndDestroy()
  }
}

export const guarantee: Guarantee = {
  id: 'R20',
  statement: 'Clients that send or read slowly, pipeline requests or disconnect halfway do not slow down other clients',
  async run(context) {
    const { byTier, expect, expectWithin, openFixture, timeLimit } = context
    const { each, rounds, waits } = byTier({
      short: { each: 60, rounds: 2, waits: 0 },
      full: { each: 250, rounds: 3, waits: 45_000 },
      long: { each: 250, rounds: 6, waits: 45_000 },
    })
    const { client, createMembers, server, sql } = await openFixture()
    const tokens = (await createMembers(each)).map(({ token }) => token)
    const { path: file } = await upload(server, { token: tokens[0] ?? '' }, FILE)
    if (file === null) throw new Error('the file was refused')
    await timeCalls(context, client, 50)
    const usual = await timeCalls(context, client, 100)
    const memoryBefore = residentMegabytes(server.pid())
    const timesUnderAttack: number[] = []
    const peak = { memory: 0, uploads: 0, closed: 0 }
    for (let round = 0; round < rounds; round++) {
      const hostile = await connectHostileClients(server, tokens)
      timesUnderAttack.push(...(await timeCalls(context, client, 100)))
      peak.uploads = Math.max(peak.uploads, await openFiles(server, 'community-upload-'))
      const disconnecting = pipelineAndDisconnect(server, file)
      timesUnderAttack.push(...(await timeCalls(context, client, 100)))
      await disconnecting
      // The server disconnects clients without a complete request after 30 s, and checks every 30 s.
      if (round === 0) await sleep(waits)
      peak.closed = Math.max(peak.closed, hostile.countClosed())
      peak.memory = Math.max(peak.memory, residentMegabytes(server.pid()))
      hostile.end()
      for (const folder of ['community-upload-', '/files/'] as const)
        await until(`no file is left open in ${folder}`, async () => (await openFiles(server, folder)) === 0, 10_000)
    }
    const [before, others, slowest] = [median(usual), median(timesUnderAttack), quantile(timesUnderAttack, 0.99)]
    const more = peak.memory - memoryBefore
    expect(peak.uploads > 0, 'no upload was under way: nothing was tried')
    expect(waits === 0 || peak.closed >= each * 2, `only ${peak.closed} slow clients were disconnected`)
    expectWithin(LIMITS.others, slowest, 'others')
    expect(others <= timeLimit(before * LIMITS.slower + 100), `others took ${inMs(others)} instead of ${inMs(before)}`)
    expect(more <= LIMITS.memory, `the server holds ${more} MB more`)
    const unread = await downloadUnread(context, server, file, waits > 0)
    await timeCalls(context, client, 50)
    const whole = await download(server, file)
    expect(whole?.length === FILE.length, `afterwards a file has ${whole?.length} bytes`)
    const rows = await sql`select 1 from uploads`
    expect(rows.length === 1, `${rows.length - 1} uploads that never ended were kept`)
    return {
      'hostile clients at once': each * (DRIPPING.length + 1),
      'uploads under way, all gone afterwards': peak.uploads,
      ...(waits > 0 && { 'disconnected within 65 s': peak.closed }),
      'others, median and 99 %': `${inMs(before, 1)} before, ${inMs(others, 1)} and ${inMs(slowest, 1)} meanwhile`,
      'downloads that nobody reads, from four addresses': unread,
      memory: `${memoryBefore} MB before, ${peak.memory} MB at most`,
    }
  },
}
