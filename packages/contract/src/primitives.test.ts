import { describe, expect, it } from 'vitest'
import { adminPasswordProblem } from './admin-password-rules.ts'
import { Email, Id, Link, Password, PersonName, Phone } from './primitives.ts'
import { TeamName } from './teams/schemas.ts'

const messages = (
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } | undefined } },
  value: unknown,
) => schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? []

describe('phone numbers', () => {
  it.each([
    '0612345678',
    '0512345678',
    '0712345678',
    '+212612345678',
    '06 12 34 56 78',
    '+212 6 12 34 56 78',
    ' +212 7 12345678 ',
  ])('accept %s', (phone) => expect(Phone.parse(phone)).toBe(phone.replace(/\s/g, '')))
  it('accept direction marks and no-break spaces', () =>
    expect(Phone.parse('\u202a+212\u00a06\u00a012 34 56 78\u202c')).toBe('+212612345678'))
  it.each([
    '0812345678',
    '061234567',
    '06123456789',
    '212612345678',
    '+2120612345678',
    '06-12-34-56-78',
    '٠٦١٢٣٤٥٦٧٨',
    '06'.repeat(20),
  ])('reject %s', (phone) =>
    expect(messages(Phone, phone)).toEqual(['Phone number must be in format 0612345678 or +212612345678']),
  )
  it.each(['', ' \u202a '])('are required: %j', (phone) =>
    expect(messages(Phone, phone)).toEqual(['Please enter your phone number']),
  )
})

describe('passwords', () => {
  it('list every broken rule', () => {
    expect(messages(Password, 'abc')).toEqual([
      'Password must be at least 6 characters',
      'Password must contain at least one uppercase letter',
      'Password must contain at least one number',
    ])
    expect(messages(Password, 'Abcde1')).toEqual([])
  })
  it.each([
    ['', 'Password is required'],
    ['Ab1', 'Password must be at least 8 characters'],
    [`Aa1${'x'.repeat(2)}${'yz'.repeat(80)}`, 'Password is too long (maximum 128 characters)'],
    ['zellige2026', 'Password must contain at least one uppercase letter'],
    ['ZELLIGE2026', 'Password must contain at least one lowercase letter'],
    ['ZelligeFes', 'Password must contain at least one number'],
    ['Zelliiige1', 'Password cannot contain more than 2 consecutive identical characters'],
    ['Admin2026x', 'Password contains common weak patterns. Please choose a stronger password.'],
    ['Zellige2026', null],
  ])('of administrators: %s', (password, problem) => expect(adminPasswordProblem(password)).toBe(problem))
})

describe('names', () => {
  it('have 2 to 100 characters after cleaning', () => {
    expect(PersonName.parse('  Aïcha \u202e Benali ')).toBe('Aïcha Benali')
    expect(PersonName.parse('x'.repeat(100))).toHaveLength(100)
    expect(messages(PersonName, 'x'.repeat(101))).toEqual(['Name must be less than 100 characters'])
    expect(messages(PersonName, ' a ')).toEqual(['Name must be at least 2 characters'])
    expect(PersonName.parse('محمد العلوي')).toBe('محمد العلوي')
  })
  it.each(['\u3164\u3164\u3164', '\u2800\u2800', 'a\u200b\u200b', 'a\u0301', '👩🏽‍💻', 'a \u0301'])(
    'of a person need 2 visible characters: %j',
    (name) => expect(messages(PersonName, name)).toEqual(['Name must be at least 2 characters']),
  )
  it.each(['ab\u200b', '👩🏽‍💻👩🏽‍💻', '\u3164ab', 'e\u0301\u200be\u0301'])(
    'of a team need 3 visible characters: %j',
    (name) => expect(messages(TeamName, name)).toEqual(['Team name must be at least 3 characters']),
  )
  it.each(['Sara\r\nBcc: eve@example.ma', 'Sara\rAmrani', 'Sara\nAmrani', 'Sara\n'])('reject line ends: %j', (name) => {
    expect(messages(PersonName, name)).toEqual(['Line breaks are not allowed here'])
    expect(messages(TeamName, name)).toEqual(['Line breaks are not allowed here'])
  })
  it.each(['👩🏽‍💻🦁🐪', 'ⵜⵉⴼ', 'أطلس', '  Été ', 'A 1'])('of a team may be %s', (name) =>
    expect(TeamName.parse(name)).toBe(name.trim()),
  )
})

describe('e-mail addresses', () => {
  it('are lower-cased and trimmed', () => expect(Email.parse(' Sara@Example.MA ')).toBe('sara@example.ma'))
  it.each([
    'a@b',
    'a b@c.ma',
    'a@x.ma,b@y.ma',
    'a@x.ma\r\nBcc: b@y.ma',
    'sara@\u212Aenitra.ma',
    'admın@example.ma',
    '',
    '@x.ma',
    'a@-x.ma',
    ['a@x.ma'],
    { a: 1 },
  ])('reject %j', (email) => expect(messages(Email, email)).toContain('Please enter a valid email address'))
})

describe('ids', () => {
  it('are lower-cased', () => {
    expect(Id.parse('0197A3C4-0C1E-7B3A-9D52-3F1F6F0C2A11')).toBe('0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11')
    expect(messages(Id, 'no-id')).toEqual(['Not a valid id'])
  })
})

describe('links', () => {
  it.each(['https://github.com/x', 'http://example.ma/a?b=c#d', 'HTTPS://Example.ma'])('accept %s', (link) =>
    expect(Link.parse(link)).toBe(new URL(link).href),
  )
  it.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    'https://x@evil.example',
    'https://user:pass@evil.example',
    'ftp://x.ma',
    'https://',
    'https:\\\\evil.example',
    `https://x.ma/${'a'.repeat(2048)}`,
  ])('reject %j', (link) => expect(messages(Link, link)).toHaveLength(1))
  it('are limited by the length of their normalised form', () => {
    const withLetters = (count: number) => `https://x.ma/${'ع'.repeat(count)}`
    expect(Link.parse(withLetters(339))).toHaveLength(2047)
    for (const count of [340, 1913, 2048])
      expect(messages(Link, withLetters(count))).toEqual(['The link is too long (maximum 2048 characters)'])
  })
})
