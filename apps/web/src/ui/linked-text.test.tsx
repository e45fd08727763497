import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { LinkedText } from './linked-text.tsx'

const linksIn = (text: string) => {
  const { container } = render(<LinkedText text={text} />)
  expect(container.textContent).toBe(text)
  return [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))
}

it.each([
  ['no link', []],
  ['Read https://a.ma/b?c=d#e, then HTTP://c.ma.', ['https://a.ma/b?c=d#e', 'HTTP://c.ma']],
  ['اقرأ https://a.ma/ب؟', ['https://a.ma/ب']],
  ['(https://a.ma/x_(y)) and “https://b.ma”', ['https://a.ma/x_(y)', 'https://b.ma']],
  ['"https://a.ma"<https://b.ma>', ['https://a.ma', 'https://b.ma']],
  ['اقرأ https://a.ma\u200f و https://b.ma/\u061c.', ['https://a.ma', 'https://b.ma/']],
  ['https://bank.ma@a.ma/b', []],
  ['https:// and javascript:alert(1) and ftp://a.ma', []],
  ['https://a.ma/\nhttps://b.ma/', ['https://a.ma/', 'https://b.ma/']],
])('%s', (text, hrefs) => {
  expect(linksIn(text)).toEqual(hrefs)
})

it('opens links in a new tab, without the address of this page', () => {
  const link = render(<LinkedText text="https://a.ma" />).getByRole('link')
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
})

it('marks the links of a member as user content', () => {
  const link = render(<LinkedText text="https://a.ma" isByMember />).getByRole('link')
  expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
})

it('finds at most one link in long texts that are hard to match', () => {
  for (const text of ['https://'.repeat(20_000), `https://${'('.repeat(100_000)}`, `https://${'.'.repeat(100_000)}`])
    expect(linksIn(text).length).toBeLessThan(2)
})
