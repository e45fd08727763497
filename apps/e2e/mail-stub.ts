import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface MailStub {
  url: string
  /** While this is so, every recipient is refused for good. */
  refuses: boolean
  /** The six digits of the newest mail to an address, once it came. */
  codeTo: (address: string) => Promise<string>
  stop: () => Promise<void>
}

/** A mail server that takes mail or refuses it, as a test says. */
export async function startMailStub(): Promise<MailStub> {
  const mails: { to: string; lines: string[] }[] = []
  const sockets = new Set<Socket>()
  const stub = { refuses: false }

  async function talk(socket: Socket): Promise<void> {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    const say = (line: string) => socket.write(`${line}\r\n`)
    let to = ''
    let data: string[] | null = null
    say('220 stub ESMTP')
    for await (const line of createInterface({ input: socket })) {
      if (data !== null) {
        if (line !== '.') {
          data.push(line)
          continue
        }
        mails.push({ to, lines: data })
        data = null
        say('250 taken')
        continue
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'RCPT') {
        to = /<([^>]*)>/.exec(line)?.[1] ?? ''
        say(stub.refuses ? '550 5.1.1 no such mailbox' : '250 ok')
      } else if (command === 'DATA') {
        data = []
        say('354 go on')
      } else if (command === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
  }

  const server = createServer((socket) => void talk(socket).catch(() => socket.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  async function codeTo(wanted: string): Promise<string> {
    const end = Date.now() + 15_000
    while (Date.now() < end) {
      const mail = mails.findLast(({ to }) => to === wanted)
      const [code] = /\b\d{6}\b/.exec(mail?.lines.find((line) => line.startsWith('Subject:')) ?? '') ?? []
      if (code) return code
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`No code came to ${wanted}`)
  }
  return Object.assign(stub, {
    url: `smtp://127.0.0.1:${port}`,
    codeTo,
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  })
}
