import { once } from 'node:events'
import { connect } from 'node:net'
import { LANGUAGES } from '@community/contract'
import { freePort } from '@community/testing/server'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { renderMail } from '../mails/render.ts'
import { SAMPLE_APP_URL, sampleValues } from '../mails/samples.ts'
import { MAIL_TEMPLATES } from '../mails/texts.ts'
import { escapeHtml } from '../mails/escape-html.ts'
import { startMailCatcher } from './mail-catcher.ts'

const dir = temporaryFolder()
const catcher = await startMailCatcher({ dir })
afterAll(() => catcher.close())
const get = async (address: string) => {
  const response = await fetch(`${catcher.webUrl}${address}`)
  return {
    status: response.status,
    csp: response.headers.get('content-security-policy') ?? '',
    text: await response.text(),
  }
}

describe('the page of the mail templates', () => {
  it('is linked from the inbox', async () => {
    expect((await get('/')).text).toContain('href="/templates"')
  })

  it.each(MAIL_TEMPLATES.flatMap((template) => LANGUAGES.map((language) => [template, language] as const)))(
    'shows %s in %s: subject, text and sandboxed HTML',
    async (template, language) => {
      const { text } = await get('/templates')
      const mail = renderMail(template, language, sampleValues(template, language), {
        appUrl: SAMPLE_APP_URL,
        appName: 'Community',
      })
      expect(text).toContain(escapeHtml(mail.subject))
      expect(text).toContain(escapeHtml(mail.text))
      const [frame = ''] = new RegExp(`<iframe[^>]*src="/templates/${template}/${language}"[^>]*>`).exec(text) ?? []
      expect(frame).toMatch(/ sandbox /)
      expect(frame).toContain(`title="${template} in ${language}, as HTML"`)
      const framed = await get(`/templates/${template}/${language}`)
      expect(framed).toMatchObject({ status: 200, text: mail.html })
      expect(framed.csp).toMatch(/^sandbox allow-popups; default-src 'none'/)
    },
  )

  it.each(['/templates/nope/en', '/templates/new-device/xx', '/templates/__proto__/en', '/templates/new-device'])(
    'answers 404 at %s',
    async (address) => expect((await get(address)).status).toBe(404),
  )
})

describe('the mail catcher', () => {
  it('ignores a disconnect in the middle of a mail and stores the next one', async () => {
    const send = async (...lines: string[]) => {
      const socket = connect(Number(new URL(catcher.smtpUrl).port), '127.0.0.1').setEncoding('utf8')
      await once(socket, 'data')
      for (const line of lines) {
        socket.write(`${line}\r\n`)
        await once(socket, 'data')
      }
      return socket
    }
    const head = ['HELO client', 'MAIL FROM:<a@example.ma>', 'RCPT TO:<b@example.ma>', 'DATA']
    const cut = await send(...head)
    cut.write('Subject: half', () => cut.destroy())
    await once(cut, 'close')
    ;(await send(...head, 'Subject: whole\r\n\r\nText\r\n.')).end()
    expect((await catcher.waitFor(() => true)).subject).toBe('whole')
    expect(catcher.list()).toHaveLength(1)
    const messages = JSON.parse((await get('/messages.json')).text) as unknown
    expect(messages).toMatchObject([{ to: ['b@example.ma'], subject: 'whole', text: 'Text\n' }])
  })

  it('listens on the given port, and on a free one if that is in use', async () => {
    const inboxPort = Number(new URL(catcher.webUrl).port)
    const second = await startMailCatcher({ dir, inboxPort })
    expect(second.webUrl).not.toBe(catcher.webUrl)
    await second.close()
    const free = await freePort()
    const third = await startMailCatcher({ dir, inboxPort: free })
    expect(Number(new URL(third.webUrl).port)).toBe(free)
    await third.close()
  })
})
