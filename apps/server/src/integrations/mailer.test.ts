import { get } from 'node:http'
import { createServer } from 'node:net'
import { listenLocally } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { startMailCatcher } from '../embedded/mail-catcher.ts'
import { createMailer, isServerUnavailable, type Mail } from './mailer.ts'

const dir = temporaryFolder()

let catcher = await startMailCatcher({ dir })
const mailer = createMailer({ smtpUrl: catcher.smtpUrl, from: 'Community <no-reply@example.ma>' })
afterAll(async () => {
  mailer.close()
  await catcher.close()
})

const mail = (overrides: Partial<Mail> = {}): Mail => ({
  to: 'sara@example.ma',
  subject: '123456 هو رمزك',
  text: 'Bonjour',
  html: '<p>Bonjour</p>',
  language: 'ar',
  messageId: '<1@community>',
  ...overrides,
})

describe('a mail', () => {
  it('arrives unchanged', async () => {
    await mailer.check()
    await mailer.send(mail())
    const caught = await catcher.waitFor((candidate) => candidate.to.includes('sara@example.ma'))
    expect(caught).toMatchObject({ subject: '123456 هو رمزك', from: 'no-reply@example.ma', messageId: '<1@community>' })
    expect(caught.text.trim()).toBe('Bonjour')
    expect(caught.html.trim()).toBe('<p>Bonjour</p>')
  })
  it('goes to one address without injected headers', async () => {
    for (const to of ['a@x.ma, b@y.ma', 'a@x.ma\r\nBcc: b@y.ma', 'Sara <a@x.ma>', 'nobody'])
      await expect(mailer.send(mail({ to }))).rejects.toThrow('Not a mail address')
    await mailer.send(mail({ to: 'h@example.ma', subject: 'Hello\r\nBcc: b@y.ma' }))
    const caught = await catcher.waitFor((candidate) => candidate.to.includes('h@example.ma'))
    expect(caught).toMatchObject({ to: ['h@example.ma'], subject: 'Hello Bcc: b@y.ma' })
  })
})

describe('a server that rejects mail', () => {
  const GREETING = ['', '220 mail.example.ma'] as const
  const EHLO = ['EHLO', '250-mail.example.ma\r\n250 AUTH PLAIN'] as const
  const AUTH = ['AUTH', '235 OK'] as const

  /** The error of sending to a server with these replies, by the first letters of the command; it ends the session after any other command. */
  async function sendTo(replies: (readonly [command: string, reply: string])[]): Promise<unknown> {
    const server = createServer((socket) => {
      const reply = (command: string) => {
        const found = replies.find(([start]) => (start === '' ? command === '' : command.startsWith(start)))
        if (found) socket.write(`${found[1]}\r\n`)
        else socket.destroy()
      }
      socket.on('error', () => {})
      socket.on('data', (bytes) => reply(bytes.toString()))
      reply('')
    })
    const smtpUrl = `smtp://me:secret@127.0.0.1:${await listenLocally(server)}`
    const rejected = createMailer({ smtpUrl, from: 'no-reply@example.ma' })
    try {
      return await rejected.send(mail()).catch((error: unknown) => error)
    } finally {
      rejected.close()
      server.close()
    }
  }

  it.each([
    ['greets with 421', [['', '421 4.3.2 closing'] as const]],
    ['does not accept the login', [GREETING, EHLO, ['AUTH', '535 5.7.8 no'] as const]],
    ['accepts nobody', [GREETING, ['EHLO', '421 4.3.2 closing'] as const, ['HELO', '421 4.3.2 closing'] as const]],
  ])('is unavailable if it %s', async (_what, replies) => {
    expect(isServerUnavailable(await sendTo(replies))).toBe(true)
  })

  it.each([
    ['does not accept the sender', [GREETING, EHLO, AUTH, ['MAIL', '451 4.3.0 later'] as const]],
    ['ends the session without a reply', [GREETING, EHLO, AUTH, ['MAIL', '250 OK'] as const]],
  ])('may be available if it %s', async (_what, replies) => {
    const error = await sendTo(replies)
    expect(error).toBeInstanceOf(Error)
    expect(isServerUnavailable(error)).toBe(false)
  })
})

describe('the inbox', () => {
  it('shows mails newest first with sandboxed HTML', async () => {
    await mailer.send(
      mail({ to: 'x@example.ma', subject: '<script>alert(1)</script>', html: '<script>alert(2)</script>' }),
    )
    const caught = await catcher.waitFor((candidate) => candidate.to.includes('x@example.ma'))
    const list = await (await fetch(catcher.webUrl)).text()
    expect(list).not.toContain('<script>')
    const html = await fetch(`${catcher.webUrl}/mail/${caught.id}/html`)
    expect(html.headers.get('content-security-policy')).toContain('sandbox')
    expect((await fetch(`${catcher.webUrl}/mail/nope`)).status).toBe(404)
  })
  it('answers loopback hosts only', async () => {
    const { port } = new URL(catcher.webUrl)
    const status = await new Promise((resolve, reject) =>
      get({ port, host: '127.0.0.1', headers: { host: 'rebound.example' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).once('error', reject),
    )
    expect(status).toBe(421)
  })
  it('keeps its mails after a restart', async () => {
    const count = catcher.list().length
    await catcher.close()
    catcher = await startMailCatcher({ dir })
    expect(catcher.list()).toHaveLength(count)
  })
})
