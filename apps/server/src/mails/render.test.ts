import { LANGUAGES, TOKEN_SCOPES } from '@community/contract'
import { describe, expect, it } from 'vitest'
import { deviceValues } from './device-values.ts'
import { renderMail } from './render.ts'
import { SAMPLE_APP_URL, sampleValues } from './samples.ts'
import { scopesIn } from './scope-names.ts'
import { COLOURS } from './style.ts'
import { MAIL_TEMPLATES, MAIL_TEXTS } from './texts.ts'
import { UNSUBSCRIBE_TEXTS } from './unsubscribe-texts.ts'

const place = { appUrl: SAMPLE_APP_URL, appName: 'Community' }

describe.each(LANGUAGES)('mails in %s', (language) => {
  it.each(MAIL_TEMPLATES)('%s is complete in text and HTML', (template) => {
    const values = sampleValues(template, language)
    const { code } = values
    const mail = renderMail(template, language, values, place)
    expect(mail.text).toContain(MAIL_TEXTS[language][template].heading)
    expect(mail.html).toContain(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
    const body = mail.html.replace(/<style>.*?<\/style>/, '')
    expect(`${mail.subject}${mail.text}${body}`).not.toMatch(/\{|undefined|null/)
    expect(mail.text).toContain(place.appUrl)
    for (const value of Object.values(values)) expect(mail.text).toContain(value)
    if (code) {
      expect(mail.subject.startsWith(code)).toBe(true)
      expect(mail.text).toContain(code)
      expect(mail.html).toContain(`>${code}<`)
    }
  })
})

it('has different texts in each language', () => {
  for (const template of MAIL_TEMPLATES)
    expect(new Set(LANGUAGES.map((language) => MAIL_TEXTS[language][template].heading)).size).toBe(LANGUAGES.length)
})

it('escapes values and keeps them on one line', () => {
  const values = { device: '<img src=x onerror=alert(1)>', place: 'a\r\nBcc: evil@example.com', time: '{code} $& "' }
  const mail = renderMail('new-device', 'en', values, place)
  expect(mail.html).toContain('&#60;img src=x onerror=alert(1)&#62;')
  expect(mail.html).not.toMatch(/<img|onerror="/)
  expect(mail.text).toContain('Location: a Bcc: evil@example.com\n')
  expect(mail.text).toContain('Time: {code} $& "')
  const subject = renderMail('code-reset', 'fr', { code: '1\r\n2' }, place).subject
  expect(subject).toMatch(/^1 2\u202f: /)
})

it('has a narrow no-break space before colons and marks in French', () => {
  const { text } = renderMail('new-device', 'fr', sampleValues('new-device', 'fr'), place)
  expect(text).toContain('Appareil\u202f: Chrome sur Android')
  const texts = Object.values(MAIL_TEXTS.fr).flatMap(({ subject, heading, lines }) => [
    subject,
    heading,
    ...lines.flat(),
  ])
  expect(texts.filter((part) => /(^|[^\u202f])([:;!?](?=\s|$)|»)|«(?!\u202f)/.test(part))).toEqual([])
})

it('throws for a missing value', () => {
  expect(() => renderMail('new-device', 'ar', { device: 'Chrome' }, place)).toThrow('{place}')
  expect(() => renderMail('code-reset', 'en', {}, place)).toThrow('{code}')
})

it.each(LANGUAGES)('uses the configured product name, in %s', (language) => {
  const named = renderMail('code-registration', language, { code: '042137' }, { ...place, appName: 'Atlas & <b>Rif' })
  expect(named.subject).toMatch(/Atlas & <b>Rif$/)
  expect(named.text).toContain(`\n\nAtlas & <b>Rif\n\n${place.appUrl}`)
  expect(named.html).toContain('>Atlas &#38; &#60;b&#62;Rif</p>')
  const { subject } = renderMail('code-registration', language, { code: '042137' }, place)
  expect(subject).toMatch({ en: /join the community$/, fr: /rejoindre la communauté$/, ar: /إلى المجتمع$/ }[language])
})

describe('the HTML', () => {
  /** Relative luminance and contrast as WCAG 2.2 defines them. */
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (foreground: string, background: string) => {
    const [dark = 0, light = 0] = [luminance(foreground), luminance(background)].toSorted((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  it.each(Object.entries(COLOURS))('is readable in %s', (_scheme, { background, foreground, link }) => {
    expect(contrast(background, foreground)).toBeGreaterThan(7)
    expect(contrast(background, link)).toBeGreaterThan(4.5)
  })

  it.each(MAIL_TEMPLATES)('of %s has one heading, a title and no external resources', (template) => {
    const { html, subject } = renderMail(template, 'ar', sampleValues(template, 'ar'), place)
    expect(html).toContain(`<title>${subject}</title>`)
    expect(html.match(/<h1>/g)).toHaveLength(1)
    expect(html).toContain('prefers-color-scheme:dark')
    expect(html).not.toMatch(/<img|src=|url\(|<script|<link|@import/)
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual([place.appUrl])
  })
})

it('gives a labelled value the direction of the language', () => {
  const { html } = renderMail('new-device', 'ar', sampleValues('new-device', 'ar'), place)
  expect(html).toContain('<bdi dir="rtl">Chrome على Android</bdi>')
})

it.each([
  ['account-banned', 'reason'],
  ['access-token-created', 'name'],
] as const)('gives what a person wrote its own direction: %s, %s', (template, name) => {
  const mail = renderMail(template, 'ar', { ...sampleValues(template, 'ar'), [name]: 'Spam!' }, place)
  expect(mail.html).toContain('<bdi dir="auto">Spam!</bdi>')
  expect(mail.text).toContain(': \u2068Spam!\u2069\n')
})

it.each([
  ['en', 'Read, Write, Administration'],
  ['fr', 'Lecture, Écriture, Administration'],
  ['ar', 'القراءة، الكتابة، الإدارة'],
] as const)('names the scopes of a token as the web app does, in %s', (language, names) => {
  expect(scopesIn(language, TOKEN_SCOPES)).toBe(names)
})

it('isolates an address in the Arabic page that stops mails', () => {
  for (const text of [UNSUBSCRIBE_TEXTS.ar.question, UNSUBSCRIBE_TEXTS.ar.done])
    expect(text).toContain('\u2066{email}\u2069')
})

describe('device details', () => {
  const at = new Date('2026-11-21T23:59:30Z')
  const phone = { browser: 'Firefox', system: 'Android', address: '105.158.12.7', country: 'MA' }
  it('are in the reader’s language with the time zone', () => {
    expect(deviceValues('en', phone, at)).toEqual({
      device: 'Firefox on Android',
      place: 'Morocco (105.158.12.7)',
      time: '21 November 2026 at 23:59 UTC',
    })
    expect(deviceValues('fr', phone, at)).toMatchObject({
      device: 'Firefox sur Android',
      place: 'Maroc (105.158.12.7)',
    })
    expect(deviceValues('ar', phone, at)).toMatchObject({
      device: 'Firefox على Android',
      place: 'المغرب (\u2066105.158.12.7\u2069)',
      time: expect.stringMatching(/^21 .* 2026 .*23:59 UTC$/) as string,
    })
  })
  it('name an unknown device and show IP addresses only', () => {
    const unknown = { browser: null, system: null, address: 'Win a prize at evil.example', country: null }
    expect(deviceValues('en', unknown, at)).toMatchObject({ device: 'Unknown device', place: 'Unknown location' })
    expect(deviceValues('en', { ...unknown, system: 'Windows', address: '2001:db8::1' }, at)).toMatchObject({
      device: 'Windows',
      place: '2001:db8::1',
    })
    expect(deviceValues('ar', { ...unknown, address: '2001:db8::1' }, at).place).toBe('\u20662001:db8::1\u2069')
  })
})
