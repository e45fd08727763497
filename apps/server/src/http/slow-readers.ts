import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import ipaddr from 'ipaddr.js'

export interface SlowReaderOptions {
  /** The least an answer must be read at, while some of it is unsent. */
  minBytesPerSecond?: number
  /** Milliseconds after which a slower reader is hung up on. */
  windowMs?: number
  /** Milliseconds between two looks. */
  checkIntervalMs?: number
}

interface Window {
  since: number
  delivered: number
}

/** Node's own count of what it gave to the system, by which its timeouts tell whether a write goes on. */
interface Handle {
  bytesWritten: number
  writeQueueSize: number
}
const handleOf = (socket: Socket) => (socket as unknown as { _handle: Handle | null })._handle

const hasUnsent = (socket: Socket): boolean => socket.writableLength > 0 || (handleOf(socket)?.writeQueueSize ?? 0) > 0

const hexOf = (bytes: number[]): string => Buffer.from(bytes).toString('hex').toUpperCase()
const hexOfPort = (port = 0): string => hexOf([port >> 8, port & 255])

/** The two ends of a connection as Linux writes them: words of four bytes, each the other way round. */
function endsOf({ localPort, remotePort, remoteAddress = '' }: Socket): string {
  if (!ipaddr.isValid(remoteAddress)) return ''
  const bytes = ipaddr.parse(remoteAddress).toByteArray()
  const words = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.slice(at * 4, at * 4 + 4).toReversed())
  return `${hexOfPort(localPort)} ${hexOf(words.flat())}:${hexOfPort(remotePort)}`
}

const CONNECTION = /^\s*\d+: \w+:(\w{4}) (\w+:\w{4}) \w\w (\w{8}):/

/**
 * Bytes that the system took and did not deliver yet, by the ends of a connection. It takes megabytes, a third of them at a time: without
 * this a reader of 50 kB/s seems to stand still for half a minute. Empty where the system is not Linux.
 */
async function queuedBySystem(): Promise<Map<string, number>> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const rows = tables.flatMap((table) => table.split('\n')).map((row) => CONNECTION.exec(row) ?? [])
  return new Map(rows.map(([, port, remote, queued = '0']) => [`${port} ${remote}`, Number.parseInt(queued, 16)]))
}

/** Hangs up on clients that read an answer, whatever it is, too slowly. */
export function disconnectSlowReaders(
  server: Server,
  log: FastifyBaseLogger,
  { minBytesPerSecond = 10_000, windowMs = 20_000, checkIntervalMs = 2500 }: SlowReaderOptions = {},
): void {
  const windows = new Map<Socket, Window>()
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      windows.delete(socket)
    })
  })
  // Node counts a write as standing still although the system delivers it.
  server.on('timeout', (socket: Socket) => {
    if (!hasUnsent(socket)) socket.destroy()
  })

  const judge = (socket: Socket, delivered: number, now: number) => {
    const window = windows.get(socket)
    const due = window && (minBytesPerSecond * (now - window.since)) / 1000
    if (!window || delivered - window.delivered >= (due ?? 0)) windows.set(socket, { since: now, delivered })
    else if (now - window.since >= windowMs) {
      log.info({ event: 'response.read_too_slowly', address: socket.remoteAddress }, 'a client read too slowly')
      socket.destroy()
    }
  }
  const look = async () => {
    const reading = [...sockets].filter(hasUnsent)
    for (const socket of windows.keys()) if (!hasUnsent(socket)) windows.delete(socket)
    if (reading.length === 0) return
    const queued = await queuedBySystem()
    const now = performance.now()
    for (const socket of reading) {
      const handle = handleOf(socket)
      if (handle) judge(socket, handle.bytesWritten - handle.writeQueueSize - (queued.get(endsOf(socket)) ?? 0), now)
    }
  }
  const timer = setInterval(() => void look(), checkIntervalMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
