import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkSchema } from './link-schema.ts'
import { LINK } from './patterns.ts'

const Link = linkSchema('Not a link')
const pattern = new RegExp(LINK)
const authoritySettings = { withIPv4: true, withIPv4Extended: true, withPort: true }
// Here, because fast-check takes seconds to make the first one.
const urls = fc.webUrl({ authoritySettings, withQueryParameters: true, withFragments: true, size: 'small' })

describe('the documented pattern of links', () => {
  it.each(['https://hooks.example:65535/community', 'http://10.0.0.1:3000/', 'https://my_app.example/'])(
    'matches %s',
    (url) => expect(url).toMatch(pattern),
  )

  it.each(['http://localhost:65536/', 'http://256.1.1.1/'])('does not match %s, which the server rejects', (url) => {
    expect(url).not.toMatch(pattern)
    expect(Link.safeParse(url).success).toBe(false)
  })

  it.each([
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://[2001:db8::1]/', 'https://[2001:db8::1]/'],
  ])('does not match %s, which the server stores as %s', (url, stored) => {
    expect(url).not.toMatch(pattern)
    expect(Link.parse(url)).toBe(stored)
  })

  it('matches only links that the server accepts', () => {
    fc.assert(
      fc.property(fc.stringMatching(pattern, { size: 'small' }), (url) => {
        // The pattern allows every host name that begins with `xn--`, but the server only those that are valid Punycode.
        fc.pre(!/xn--/i.test(url))
        expect(Link.safeParse(url).error).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it('matches every link without an IPv6 address that the server accepts, as stored', () => {
    fc.assert(
      fc.property(urls, (url) => {
        const { data } = Link.safeParse(url)
        fc.pre(data !== undefined)
        expect(data).toMatch(pattern)
      }),
      { numRuns: 300 },
    )
  })
})
