import { LANGUAGES } from '@community/contract'
import { describe, expect, it } from 'vitest'
import { renderMail } from './render.ts'
import { MAIL_TEMPLATES, MAIL_TEXTS } from './texts.ts'

const place = { appUrl: 'https://community.example' }

describe.each(LANGUAGES)('mails in %s', (language) => {
  it.each(MAIL_TEMPLATES)('%s is whole, in text and in HTML', (template) => {
    const code = template.startsWith('code-') ? '042137' : undefined
    const mail = renderMail(template, language, code ? { code } : {}, place)
    expect(mail.text).toContain(MAIL_TEXTS[language][template].heading)
    expect(mail.html).toContain(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/\{|undefined|null/)
    expect(mail.text).toContain(place.appUrl)
    if (code) {
      expect(mail.subject.startsWith(code)).toBe(true)
      expect(mail.text).toContain(code)
      expect(mail.html).toContain(`>${code}<`)
    }
  })
})

it('texts are told in words of their own in each language', () => {
  for (const template of MAIL_TEMPLATES)
    expect(new Set(LANGUAGES.map((language) => MAIL_TEXTS[language][template].heading)).size).toBe(LANGUAGES.length)
})
