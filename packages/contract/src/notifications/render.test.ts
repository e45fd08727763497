import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LANGUAGES } from '../users/schemas.ts'
import { NOTIFICATION_KIND_NAMES, notificationKindOf } from './kinds.ts'
import { renderNotification } from './render.ts'

/** Non-blank names that contain nothing of what the assertions below look for in a rendered text. */
const anyName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((name) => name.trim() !== '' && !/[{}]|undefined|null|Invalid/.test(name))
const anyTime = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })

/** Generates values of a parameter. */
function valueOf(schema: z.ZodType): fc.Arbitrary<string | number | null> {
  if (schema instanceof z.ZodNullable) return fc.option(valueOf(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodUUID) return fc.uuid()
  if (schema instanceof z.ZodISODateTime) return anyTime.map((time) => time.toISOString())
  if (schema instanceof z.ZodNumber) return fc.integer({ min: 1, max: 3 })
  return anyName
}
const paramsOf = (schema: z.ZodObject) =>
  fc.record(
    Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, valueOf(field as z.ZodType)])),
  )

describe.each(NOTIFICATION_KIND_NAMES)('the kind %s', (name) => {
  const kind = notificationKindOf(name)

  it('is shown in every language without a placeholder or a missing value', () => {
    fc.assert(
      fc.property(paramsOf(kind.params), fc.constantFrom(...LANGUAGES), (params, language) => {
        expect(kind.params.safeParse(params).success).toBe(true)
        const { text, href } = renderNotification(name, params, { language })
        expect(text.trim()).not.toBe('')
        expect(text).not.toMatch(/[{}]|undefined|null|Invalid/)
        expect(href).toMatch(/^#([a-z]+(-[0-9a-f-]{36})?|account-(notifications|devices))$/)
      }),
    )
  })

  it('uses the same parameters in every language', () => {
    const paramsByLanguage = LANGUAGES.map((language) =>
      [...kind.text[language].matchAll(/\{(\w+)\}/g)].map(([, param]) => param),
    )
    for (const params of paramsByLanguage) {
      expect(new Set(params)).toEqual(new Set(paramsByLanguage[0]))
      expect(Object.keys(kind.params.shape)).toEqual(expect.arrayContaining(params))
    }
  })

  it('has no-break spaces around French punctuation', () => {
    const valueTexts = Object.values(kind.valueTexts ?? {}).flatMap((texts) => Object.values(texts ?? {}))
    for (const { fr } of [kind.text, kind.summary, ...valueTexts]) expect(fr).not.toMatch(/ [:;?!»]|« /)
  })

  it('is mailed at once if it concerns safety', () => {
    if (kind.isSafety) expect(kind.channels.mail).toBe('instant')
  })
})

describe('a rendered notification', () => {
  const challenge = { challenge: 'Atlas', challengeId: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' }
  const deadline = '2026-11-25T22:30:00.000Z'

  it('shows times in the reader’s time zone and names it', () => {
    const textIn = (timeZone?: string) =>
      renderNotification(
        'challenge.deadline-moved',
        { ...challenge, deadline },
        { language: 'en', ...(timeZone && { timeZone }) },
      ).text
    expect(textIn()).toBe('The deadline of Atlas is now 25 November 2026 at 22:30 UTC')
    expect(textIn('Asia/Dubai')).toBe('The deadline of Atlas is now 26 November 2026 at 02:30 GST')
    expect(textIn('Africa/Casablanca')).toContain('25 November 2026 at 22:30')
  })

  it('isolates the offset of a time zone in Arabic', () => {
    const values = { language: 'ar', timeZone: 'Asia/Dubai' } as const
    expect(renderNotification('challenge.deadline-moved', { ...challenge, deadline }, values).text).toContain(
      '\u2066+4\u2069',
    )
  })

  it('names the deadline in a reminder, which may be read later', () => {
    const params = { ...challenge, deadline, step: '24-hours' }
    const texts = LANGUAGES.map((language) => renderNotification('challenge.reminder', params, { language }).text)
    expect(texts[0]).toBe('Atlas closes on 25 November 2026 at 22:30 UTC')
    for (const text of texts) expect(text).toContain('22:30')
  })

  it('isolates a name whose direction differs from the sentence’s', () => {
    const textFor = (team: string, language: 'en' | 'ar') =>
      renderNotification('team.chef', { team, teamId: challenge.challengeId }, { language }).text
    expect(textFor('Lions', 'en')).toBe('You are now the chef of Lions')
    expect(textFor('أسود', 'en')).toBe('You are now the chef of \u2068أسود\u2069')
    expect(textFor('Lions', 'ar')).toContain('\u2068Lions\u2069')
  })

  it('does not replace placeholders in what a person wrote', () => {
    const params = { announcementId: challenge.challengeId, title: '{title} {team}', challengeId: null }
    expect(renderNotification('announcement', params, { language: 'en' }).text).toBe('{title} {team}')
  })

  it('shows names such as null or __proto__ as they are, and a substitute for a missing name', () => {
    const textFor = (person: string | null) =>
      renderNotification('team.member.left', { person, team: 'Lions' }, { language: 'en' }).text
    for (const name of ['null', 'constructor', '__proto__']) expect(textFor(name)).toBe(`${name} is no longer in Lions`)
    expect(textFor(null)).toBe('A member is no longer in Lions')
  })

  it('names a role as the web app does', () => {
    const textIn = (language: 'fr' | 'ar', role: string) =>
      renderNotification('account.role-changed', { role }, { language }).text
    expect(textIn('fr', 'admin')).toBe('Votre rôle est désormais\u202f: administrateur')
    expect([textIn('ar', 'admin'), textIn('ar', 'member')]).toEqual(['دورك الآن: مشرف', 'دورك الآن: عضو'])
  })

  it('has what a person wrote as detail, and null if they wrote nothing', () => {
    const detailFor = (feedback: string | null) =>
      renderNotification('submission.rejected', { ...challenge, feedback }, { language: 'en' }).detail
    expect(detailFor('Add a licence')).toBe('Add a licence')
    expect(detailFor('')).toBeNull()
    expect(detailFor(null)).toBeNull()
  })
})
