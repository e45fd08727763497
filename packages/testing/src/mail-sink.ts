import { buffer } from 'node:stream/consumers'
import { listenLocally } from './listening.ts'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { untilFound } from './waiting.ts'

interface ReceivedMail {
  to: string
  subject: string
  text: string
  messageId: string
  /** When its transfer began, of `performance.now`. */
  startedAt: number
}

/** The sink’s reaction to a mail: accepts it, rejects it with an SMTP code, or accepts it without responding. */
type SinkBehaviour = 'accepts' | 'silent' | number

export interface MailSink {
  url: string
  mails: ReceivedMail[]
  behaviour: SinkBehaviour
  /** The addresses of the mails that it rejected. */
  refused: Set<string>
  /** Resolves with the code in the first mail to an address, waiting for it if necessary. */
  codeFor(to: string): Promise<string>
  mailsTo(to: string): ReceivedMail[]
  /** Stops listening until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
  close(): Promise<void>
}

/** An SMTP server that stores mails in memory, with faults that tests can switch on. */
export async function openMailSink(): Promise<MailSink> {
  let smtp: SMTPServer
  let port = 0
  const mails: ReceivedMail[] = []
  const listen = async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onData(stream, session, done) {
        const startedAt = performance.now()
        const receive = async () => {
          const mail = await PostalMime.parse(await buffer(stream))
          const addresses = session.envelope.rcptTo.map(({ address }) => address)
          if (typeof sink.behaviour === 'number') {
            for (const address of addresses) sink.refused.add(address)
            throw Object.assign(new Error('refused on purpose'), { responseCode: sink.behaviour })
          }
          for (const address of addresses)
            mails.push({
              to: address,
              subject: mail.subject ?? '',
              text: mail.text ?? '',
              messageId: mail.messageId ?? '',
              startedAt,
            })
        }
        // Ignores incomplete mails of servers that were killed while sending.
        receive().then(() => {
          if (sink.behaviour !== 'silent') done()
        }, done)
      },
    })
    smtp.on('error', () => {})
    port = await listenLocally(smtp.server, port)
  }
  const shut = () => new Promise<void>((resolve) => smtp.close(() => resolve()))
  const sink: MailSink = {
    url: '',
    mails,
    behaviour: 'accepts',
    refused: new Set(),
    mailsTo: (to) => mails.filter((mail) => mail.to === to),
    codeFor(to) {
      const findCode = () => /\b\d{6}\b/.exec(sink.mailsTo(to)[0]?.subject ?? '')?.[0]
      return untilFound(`a code comes to ${to}`, findCode, 15_000)
    },
    shut,
    open: listen,
    close: shut,
  }
  await listen()
  sink.url = `smtp://127.0.0.1:${port}`
  return sink
}
