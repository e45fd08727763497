import type { Language } from '@community/contract'
import { createTransport } from 'nodemailer'

export interface Mail {
  /** One plain address. */
  to: string
  subject: string
  text: string
  html: string
  language: Language
  /** Stays the same when a mail has to be sent again. */
  messageId: string
}

export interface Mailer {
  /** Resolves once the server has taken the mail. */
  send(mail: Mail): Promise<void>
  check(): Promise<void>
  close(): void
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/

/**
 * Will the mail never be taken? The server knows no such recipient, refuses what it says, or it is no address at all. A refused
 * sender is the fault of the settings, not of the mail: that can be mended.
 */
export function isRefusedForGood(error: unknown): boolean {
  if (error instanceof TypeError) return true
  const { code, command, responseCode } = (error ?? {}) as { code?: unknown; command?: unknown; responseCode?: unknown }
  const isAboutTheMail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE'
  return isAboutTheMail && typeof responseCode === 'number' && responseCode >= 500
}

/**
 * Could nobody be asked at all: no such host, nothing that listens there, or no greeting? That says nothing about the mail. A
 * server that fell silent later may have taken it.
 */
export function isServerAway(error: unknown): boolean {
  const { code, syscall, timeoutType } = (error ?? {}) as { code?: unknown; syscall?: unknown; timeoutType?: unknown }
  if (code === 'ETIMEDOUT') return timeoutType === 'CONNECT_TIMEOUT' || timeoutType === 'GREETING_TIMEOUT'
  return code === 'EDNS' || syscall === 'connect'
}

/** Outgoing mail over SMTP, through a small pool of connections. */
export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 3,
      connectionTimeout: 5000,
      greetingTimeout: 5000,
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    async send({ to, subject, text, html, language, messageId }) {
      // One address, parsed by nobody else: a list or a header cannot be smuggled in.
      if (!ADDRESS.test(to)) throw new TypeError('Not a mail address')
      await transport.sendMail({
        to: { name: '', address: to },
        subject: subject.replace(/[\r\n]+/g, ' '),
        text,
        html,
        messageId,
        headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
      })
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}
