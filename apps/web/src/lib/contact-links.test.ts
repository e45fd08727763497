import { describe, expect, it } from 'vitest'
import { sources } from '../../test/sources.ts'
import { mailtoLink, telLink } from './contact-links.ts'

/** Who a mail program writes to: what stands before the first question mark, and what the fields after it add. */
function recipientsOf(link: string): string[] {
  const url = new URL(link)
  const further = ['to', 'cc', 'bcc'].flatMap((field) => url.searchParams.getAll(field))
  return [...url.pathname.split(','), ...further].map(decodeURIComponent)
}

describe('mailtoLink', () => {
  it.each([
    'sara@example.ma',
    'sara+teams@example.ma',
    'prof?bcc=spy%40evil.example&x=@a.example',
    'a&cc=spy@evil.example',
    '50%@example.ma',
    'a,spy@evil.example',
    'a#b@example.ma',
  ])('writes to %s and nobody else', (email) => {
    const link = mailtoLink(email)
    expect(recipientsOf(link)).toEqual([email])
    expect([new URL(link).search, new URL(link).hash]).toEqual(['', ''])
  })

  it('includes a subject and a body', () => {
    const url = new URL(mailtoLink('', { subject: 'A & B', body: 'x?y\n\nz' }))
    expect([url.pathname, url.searchParams.get('subject'), url.searchParams.get('body')]).toEqual([
      '',
      'A & B',
      'x?y\n\nz',
    ])
  })
})

it.each([
  ['0612345678', 'tel:0612345678'],
  ['+212612345678', 'tel:+212612345678'],
  ['06;ext=1?x=2', 'tel:0612'],
])('telLink dials %s by %s', (phone, link) => expect(telLink(phone)).toBe(link))

it('no other file builds mailto or tel links', () => {
  const others = sources().filter(
    ({ path, text }) => !path.endsWith('lib/contact-links.ts') && /`(?:mailto|tel):/.test(text),
  )
  expect(others.map(({ path }) => path)).toEqual([])
})
