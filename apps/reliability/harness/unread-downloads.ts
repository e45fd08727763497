import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFiles, untilNone } from './open-files.ts'
import type { Server } from '@community/testing/server'

/** Downloads that nobody reads: so many from so many addresses. */
const UNREAD = { downloads: 200, addresses: 4 }
/** Milliseconds after which they have ended: 20 s, two looks of the server, and its delay under load. */
const ENDED_WITHIN = 40_000

/** Readers that stand still take no slot of another address, and are hung up on. */
export async function standStill(
  server: Server,
  file: { path: string; bytes: number },
  isAwaited: boolean,
  violations: string[],
): Promise<string> {
  const sockets = Array.from({ length: UNREAD.downloads }, (_, number) => {
    const socket = net.connect(server.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    const address = `198.51.100.${(number % UNREAD.addresses) + 1}`
    socket.write(`GET ${file.path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`)
    return socket
  })
  try {
    await sleep(3000)
    const held = await openFiles(server.pid(), '/files/')
    const began = performance.now()
    const headers = { 'x-forwarded-for': '198.51.100.200' }
    const answer = await fetch(`http://127.0.0.1:${server.port}${file.path}`, { headers })
    const { byteLength } = await answer.arrayBuffer()
    const took = Math.round(performance.now() - began)
    if (answer.status !== 200 || byteLength !== file.bytes)
      violations.push(`a fifth address is answered ${answer.status}, ${byteLength} bytes`)
    if (!isAwaited) return `${held} held, a fifth address had its file after ${took} ms`
    const left = await untilNone(() => openFiles(server.pid(), '/files/'), ENDED_WITHIN)
    if (left > 0) violations.push(`${left} downloads that nobody reads go on`)
    const ended = Math.round((performance.now() - began) / 1000)
    return `${held} held, a fifth address had its file after ${took} ms; all ended after ${ended} s`
  } finally {
    for (const socket of sockets) socket.resetAndDestroy()
  }
}
