import { readdir, readlink } from 'node:fs/promises'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile, resident } from '../harness/resident.ts'
import { openStage, type Stage } from '../harness/stage.ts'
import { byExtent, patience, type Proof } from '../proof.ts'

/** Milliseconds that others wait (99 %), and how much slower than without the hostile; megabytes more than before. */
const LIMITS = { others: 1000, slower: 4, memory: 200 }

const PDF = '%PDF-1.7\n'
const upload = (token: string) =>
  `POST /api/upload/single HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${PDF}`

/** What a hostile client sends at first; then a byte now and again, and it never reads. */
const HOSTILE: [name: string, opening: (token: string) => string][] = [
  ['slow headers', () => 'GET /api/teams HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  [
    'slow body',
    () =>
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"email":"',
  ],
  ['slow reading', () => 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5)],
  ['slow upload', upload],
]

interface Hostile {
  sockets: net.Socket[]
  /** How many the server has hung up on. */
  closed(): number
  /** Resets all of them. */
  end(): void
}

async function besiege(port: number, each: number, token: string): Promise<Hostile> {
  const sockets: net.Socket[] = []
  for (const [name, opening] of HOSTILE)
    for (let number = 0; number < each; number++) {
      const socket = net.connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.on('connect', () => socket.write(opening(token)))
      // Who does not read is not told either that the server hung up.
      if (name === 'slow reading') socket.pause()
      else socket.resume()
      sockets.push(socket)
    }
  await sleep(200)
  const drip = setInterval(() => {
    for (const [number, socket] of sockets.entries())
      if (!socket.destroyed && Math.floor(number / each) !== 2) socket.write('a')
  }, 1000)
  const closed = new Set<net.Socket>()
  for (const socket of sockets) socket.on('close', () => closed.add(socket))
  return {
    sockets,
    closed: () => closed.size,
    end() {
      clearInterval(drip)
      for (const socket of sockets) socket.resetAndDestroy()
    },
  }
}

/** How long ordinary calls take, in milliseconds. */
async function ordinary(stage: Stage, count: number, violations: string[]): Promise<number[]> {
  const [client] = stage.clients
  const took: number[] = []
  for (let turn = 0; turn < count; turn++) {
    const answer = await client?.call('GET /teams')
    if (answer?.status !== 200) violations.push(`an ordinary call is answered ${answer?.status}`)
    took.push(answer?.took ?? Number.POSITIVE_INFINITY)
  }
  return took
}

/** Uploads that the server still keeps on disk: they have no name there, but are open. */
async function openUploads(pid: number): Promise<number> {
  const files = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
  return targets.filter((target) => target.includes('community-upload-')).length
}

async function untilNone(count: () => Promise<number>, patience: number): Promise<number> {
  for (const end = performance.now() + patience; performance.now() < end; await sleep(50))
    if ((await count()) === 0) return 0
  return count()
}

export const proof: Proof = {
  id: 'R20',
  promise: 'Clients that send or read slowly, or hang up in the midst of an upload, take nothing from the others',
  async run(trial) {
    const [each, rounds, waits] = byExtent(trial, {
      short: [60, 2, 0],
      full: [250, 3, 45_000],
      long: [250, 6, 45_000],
    } as const)
    const violations: string[] = []
    const stage = await openStage()
    try {
      const [server] = stage.servers
      if (!server) throw new Error('a stage has a server')
      const member = await stage.people.member()
      await ordinary(stage, 50, violations)
      const usual = await ordinary(stage, 100, violations)
      const memoryBefore = await resident(server.pid())
      const besieged: number[] = []
      let memory = 0
      let uploads = 0
      let closed = 0
      for (let round = 0; round < rounds; round++) {
        const hostile = await besiege(server.port, each, member.token)
        besieged.push(...(await ordinary(stage, 100, violations)))
        uploads = Math.max(uploads, await openUploads(server.pid()))
        // Who sends nothing whole within half a minute is hung up on, when the server looks next: every half minute.
        if (round === 0) await sleep(waits)
        closed = Math.max(closed, hostile.closed())
        memory = Math.max(memory, await resident(server.pid()))
        hostile.end()
        const left = await untilNone(() => openUploads(server.pid()), 10_000)
        if (left > 0) violations.push(`${left} uploads that were broken off are still on disk`)
      }
      const [before, others] = [quantile(usual, 0.5), quantile(besieged, 0.5)]
      const slowest = quantile(besieged, 0.99)
      if (uploads === 0) violations.push('no upload was under way: nothing was tried')
      if (waits > 0 && closed < each * 2) violations.push(`only ${closed} slow clients were hung up on`)
      if (slowest > patience(trial, LIMITS.others)) violations.push(`others waited ${Math.round(slowest)} ms`)
      if (others > patience(trial, before * LIMITS.slower + 100))
        violations.push(`others took ${others} ms instead of ${before}`)
      if (memory - memoryBefore > LIMITS.memory) violations.push(`the server holds ${memory - memoryBefore} MB more`)
      const rows = await stage.sql`select 1 from uploads`
      if (rows.length > 0) violations.push(`${rows.length} uploads that never ended were kept`)
      if (!server.isAlive()) violations.push(`the server ended: ${server.said()}`)
      violations.push(...(await stage.brokenInvariants()))
      return {
        figures: {
          'hostile clients at once': each * HOSTILE.length,
          'uploads under way, all gone afterwards': uploads,
          ...(waits > 0 && { 'hung up on within 65 s': closed }),
          'others, median and 99 %': `${before.toFixed(1)} ms before, ${others.toFixed(1)} and ${slowest.toFixed(1)} ms meanwhile`,
          memory: `${memoryBefore} MB before, ${memory} MB at most`,
        },
        violations,
      }
    } finally {
      await stage.close()
    }
  },
}
