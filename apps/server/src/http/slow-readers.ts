import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import ipaddr from 'ipaddr.js'
import { watchRates, MINIMUM_RATE } from './minimum-rate.ts'

/** Node's private socket handle; it has no public count of the bytes that the kernel accepted. */
interface Handle {
  bytesWritten: number
  writeQueueSize: number
}
const handleOf = (socket: Socket) => (socket as unknown as { _handle: Handle | null })._handle

const hasUnsent = (socket: Socket): boolean => socket.writableLength > 0 || (handleOf(socket)?.writeQueueSize ?? 0) > 0

const hexOf = (bytes: number[]): string => Buffer.from(bytes).toString('hex').toUpperCase()
const hexOfPort = (port = 0): string => hexOf([port >> 8, port & 255])

/** The local port and remote address as `/proc/net/tcp` prints them: the address in little-endian words of four bytes. */
function procNetKey({ localPort, remotePort, remoteAddress = '' }: Socket): string {
  if (!ipaddr.isValid(remoteAddress)) return ''
  const bytes = ipaddr.parse(remoteAddress).toByteArray()
  const words = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.slice(at * 4, at * 4 + 4).toReversed())
  return `${hexOfPort(localPort)} ${hexOf(words.flat())}:${hexOfPort(remotePort)}`
}

const PROC_NET_ROW = /^\s*\d+: \w+:(\w{4}) (\w+:\w{4}) \w\w (\w{8}):/

/**
 * Undelivered bytes in the kernel's send buffers, by connection; empty on systems other than Linux. The kernel accepts megabytes at once:
 * without this, a client that reads 50 kB/s appears stalled for half a minute.
 */
async function kernelSendQueues(): Promise<Map<string, number>> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const rows = tables.flatMap((table) => table.split('\n')).map((row) => PROC_NET_ROW.exec(row) ?? [])
  return new Map(rows.map(([, port, remote, queued = '0']) => [`${port} ${remote}`, Number.parseInt(queued, 16)]))
}

/** Disconnects clients that read a response too slowly. */
export function disconnectSlowReaders(server: Server, log: FastifyBaseLogger, rate = MINIMUM_RATE): void {
  const rates = watchRates<Socket>(rate)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      rates.forget(socket)
    })
  })
  // Node's timeout also fires while the kernel still delivers, so sockets with unsent bytes are left to `check`.
  server.on('timeout', (socket: Socket) => {
    if (!hasUnsent(socket)) socket.destroy()
  })

  const checkSocket = (socket: Socket, delivered: number) => {
    if (!rates.check(socket, delivered)) return
    log.info(
      { event: 'response.read_too_slowly', address: socket.remoteAddress },
      'disconnected a client that read too slowly',
    )
    socket.destroy()
  }
  const check = async () => {
    const reading = [...sockets].filter(hasUnsent)
    for (const socket of rates.keys()) if (!hasUnsent(socket)) rates.forget(socket)
    if (reading.length === 0) return
    const queued = await kernelSendQueues()
    for (const socket of reading) {
      const handle = handleOf(socket)
      if (handle)
        checkSocket(socket, handle.bytesWritten - handle.writeQueueSize - (queued.get(procNetKey(socket)) ?? 0))
    }
  }
  const timer = setInterval(() => void check(), rate.checkIntervalMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
