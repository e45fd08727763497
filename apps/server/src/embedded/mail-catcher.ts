import { randomUUID } from 'node:crypto'
import { EventEmitter, on } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { serveInbox } from './mail-inbox.ts'

export interface CaughtMail {
  id: string
  /** When it was received, in ISO 8601. */
  receivedAt: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string
  messageId: string
}

export interface MailCatcher {
  smtpUrl: string
  webUrl: string
  /** Oldest first. */
  list(): CaughtMail[]
  /** Resolves with the newest matching mail, waiting 5 s for one if necessary. */
  waitFor(matches: (mail: CaughtMail) => boolean): Promise<CaughtMail>
  close(): Promise<void>
}

/** Mails to keep; the oldest are deleted first. */
const MAILS_MAX = 200
const HOST = '127.0.0.1'
const MAIL_BYTES_MAX = 5 * 1024 * 1024

async function parse(id: string, raw: Buffer, at: string, recipients?: string[]): Promise<CaughtMail> {
  const mail = await PostalMime.parse(raw)
  return {
    id,
    receivedAt: at,
    from: mail.from?.address ?? '',
    to: recipients ?? (mail.to ?? []).map((entry) => entry.address ?? ''),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    messageId: mail.messageId ?? '',
  }
}

/** File names created by `storeMail`; other files in the folder are never deleted. */
const MAIL_FILE = /^\d{13}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.eml$/

async function readStoredMails(dir: string): Promise<CaughtMail[]> {
  const names = (await readdir(dir)).filter((name) => MAIL_FILE.test(name)).toSorted()
  return Promise.all(
    names.slice(-MAILS_MAX).map(async (name) => {
      const file = path.join(dir, name)
      return parse(name.slice(0, -4), await readFile(file), (await stat(file)).mtime.toISOString())
    }),
  )
}

const listen = (server: Server, port = 0) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port))
  })

/** Listens on the port, or on any free one if it is in use. */
const listenOrFallBack = (server: Server, port: number) =>
  listen(server, port).catch((error: NodeJS.ErrnoException) => {
    // EACCES: Windows reserves ranges of ports.
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
    return listen(server)
  })

/** `storeMail` resolves with the id that is reported to the client. */
function createSmtpServer(storeMail: (raw: Buffer, recipients: string[]) => Promise<string>): SMTPServer {
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 200,
    logger: false,
    size: MAIL_BYTES_MAX,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onData: (stream, session, done) => {
      buffer(stream)
        .then((raw) => {
          if (stream.sizeExceeded) throw Object.assign(new Error('The message is too large'), { responseCode: 552 })
          return storeMail(
            raw,
            session.envelope.rcptTo.map((recipient) => recipient.address),
          )
        })
        .then(
          (id) => done(null, `stored as ${id}`),
          (error: Error) => done(error),
        )
    },
  })
  // Without a listener, a client that disconnects would crash the process.
  smtp.on('error', () => {})
  return smtp
}

const createInboxServer = (mails: readonly CaughtMail[]): Server =>
  createServer((request, response) => {
    // Rejects other Host headers: by DNS rebinding a website could read the mails through the browser.
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? '')) response.writeHead(421).end()
    else serveInbox(request.url ?? '/', mails, response)
  })

interface MailCatcherOptions {
  dir: string
  /** The inbox's port, unless another program uses it; any free one by default. */
  inboxPort?: number
}

/** An SMTP server for development: stores every mail as a file and shows it in a web inbox. Listens on loopback only. */
export async function startMailCatcher({ dir, inboxPort = 0 }: MailCatcherOptions): Promise<MailCatcher> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const mails = await readStoredMails(dir)
  const arrivals = new EventEmitter().setMaxListeners(0)

  async function storeMail(raw: Buffer, recipients: string[]): Promise<string> {
    const id = `${Date.now()}-${randomUUID()}`
    const file = path.join(dir, `${id}.eml`)
    await writeFile(`${file}.draft`, raw, { mode: 0o600 })
    await rename(`${file}.draft`, file)
    const mail = await parse(id, raw, new Date().toISOString(), recipients)
    mails.push(mail)
    for (const old of mails.splice(0, Math.max(0, mails.length - MAILS_MAX)))
      await rm(path.join(dir, `${old.id}.eml`), { force: true })
    arrivals.emit('mail', mail)
    return id
  }

  const smtp = createSmtpServer(storeMail)
  const web = createInboxServer(mails)
  const [smtpListeningPort, webListeningPort] = await Promise.all([
    listen(smtp.server as unknown as Server),
    listenOrFallBack(web, inboxPort),
  ])

  return {
    smtpUrl: `smtp://${HOST}:${smtpListeningPort}`,
    webUrl: `http://${HOST}:${webListeningPort}`,
    list: () => [...mails],
    async waitFor(matches) {
      const existing = mails.findLast(matches)
      if (existing) return existing
      const arriving = on(arrivals, 'mail', { signal: AbortSignal.timeout(5000) })
      for await (const [mail] of arriving as AsyncIterable<[CaughtMail]>) if (matches(mail)) return mail
      throw new Error('No matching mail was received')
    },
    async close() {
      web.closeAllConnections()
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(resolve)),
        new Promise((resolve) => web.close(resolve)),
      ])
    },
  }
}
