import type { Language } from '@community/contract'

export interface Mail {
  /** One plain address. */
  to: string
  subject: string
  text: string
  html: string
  language: Language
  /** The same for every attempt to send the mail. */
  messageId: string
  /** A Message-ID that related mails refer to, so that mail clients group them. */
  thread?: string | undefined
  /** The one-click unsubscribe URL (RFC 8058). */
  unsubscribeUrl?: string | undefined
}

export interface Mailer {
  /** Resolves once the server has accepted the mail. Throws `InvalidAddressError` without contacting the server. */
  send(mail: Mail): Promise<void>
  check(): Promise<void>
  close(): void
}

class InvalidAddressError extends Error {
  constructor() {
    super('Not a mail address')
  }
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/

/**
 * Whether retrying is pointless: the server permanently rejected the recipient or the content, or the address is invalid. A rejected
 * sender is a configuration error, which can be fixed.
 */
export function isPermanentRejection(error: unknown): boolean {
  if (error instanceof InvalidAddressError) return true
  const { code, command, responseCode } = (error ?? {}) as { code?: unknown; command?: unknown; responseCode?: unknown }
  const concernsMail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE'
  return concernsMail && typeof responseCode === 'number' && responseCode >= 500
}

/** Enhanced status codes (RFC 3463) that concern the recipient: the address (5.1) and the mailbox (5.2). */
const RECIPIENT_STATUS = /^5\d\d[ -]5\.[12]\.\d/
const ENHANCED_STATUS = /^5\d\d[ -]5\.\d+\.\d/
/** Without an enhanced status code: no such mailbox, user not local, malformed mailbox (RFC 5321). */
const RECIPIENT_REPLIES = [550, 551, 553]

/** Whether the server permanently rejected the recipient, and not what may be a rule about the sender. */
export function isRecipientRejection(error: unknown): boolean {
  if (error instanceof InvalidAddressError) return true
  if (!isPermanentRejection(error)) return false
  const { code, response, responseCode } = error as { code?: unknown; response?: unknown; responseCode: number }
  if (code !== 'EENVELOPE') return false
  const text = String(response)
  return ENHANCED_STATUS.test(text) ? RECIPIENT_STATUS.test(text) : RECIPIENT_REPLIES.includes(responseCode)
}

/** Codes of nodemailer for an unknown host, failed TLS, a failed login, and a reply that breaks the protocol, such as a greeting with 421. */
const SESSION_ERRORS: unknown[] = ['EDNS', 'ETLS', 'EAUTH', 'EPROTOCOL']

/**
 * Whether the server does not accept mail at present: no session was established, or the server ended it with a reply. Such a failure
 * does not depend on the mail. A server that stopped responding during a session is not meant, because it may have accepted the mail.
 */
export function isServerUnavailable(error: unknown): boolean {
  const { code, syscall, timeoutType, responseCode } = (error ?? {}) as Record<string, unknown>
  if (code === 'ETIMEDOUT') return timeoutType === 'CONNECT_TIMEOUT' || timeoutType === 'GREETING_TIMEOUT'
  if (code === 'ECONNECTION' && responseCode !== undefined) return true
  return SESSION_ERRORS.includes(code) || syscall === 'connect'
}

/**
 * The most connections of a process to the mail server: one for each job that sends a mail at the same time (all five of the shared limit,
 * three for notifications, two for digests), so that a sign-in code never waits for the connection of a bulk mail.
 */
const SMTP_CONNECTIONS_MAX = 10

/** Sends mail over SMTP with a small connection pool. */
export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  // Imported on first use, because nodemailer would be a tenth of the code that a start loads.
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport(
      {
        url: smtpUrl,
        pool: true,
        maxConnections: SMTP_CONNECTIONS_MAX,
        connectionTimeout: 5000,
        greetingTimeout: 5000,
        socketTimeout: 10_000,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    )
  }
  let opening: ReturnType<typeof open> | undefined
  const transport = () => (opening ??= open())
  return {
    async send({ to, subject, text, html, language, messageId, thread, unsubscribeUrl }) {
      if (!ADDRESS.test(to)) throw new InvalidAddressError()
      await (await transport()).sendMail({
        // nodemailer does not parse an object, so `to` cannot inject a list or a header.
        to: { name: '', address: to },
        subject: subject.replace(/[\r\n]+/g, ' '),
        text,
        html,
        messageId,
        ...(thread !== undefined && { inReplyTo: thread, references: thread }),
        headers: {
          'Content-Language': language,
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl !== undefined && {
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      })
    },
    async check() {
      await (await transport()).verify()
    },
    close: () =>
      void opening?.then(
        (opened) => opened.close(),
        () => {},
      ),
  }
}
