import { describe, expect, it } from 'vitest'
import { emailKey } from './email-key.ts'

describe('emailKey is equal for', () => {
  it.each([
    'sara.el@gmail.com',
    'sarael@gmail.com',
    's.a.r.a.e.l@gmail.com',
    'sarael+spam@gmail.com',
    'sara.el+a+b@gmail.com',
    'SaraEl@GMAIL.com',
    'sarael@googlemail.com',
    'sara.el+x@googlemail.com',
  ])('%s', (email) => expect(emailKey(email)).toBe('sarael@gmail.com'))

  it('drops the plus part everywhere, dots only at Gmail', () => {
    expect(emailKey('sara.el+x@example.ma')).toBe('sara.el@example.ma')
    expect(emailKey('sarael@example.ma')).not.toBe(emailKey('sara.el@example.ma'))
  })

  it.each(['sarael@gmail.co', 'sarael@mail.gmail.com', 'sara-el@gmail.com', 'sarael1@gmail.com', 'sarael@example.ma'])(
    'and differs for %s',
    (email) => expect(emailKey(email)).not.toBe('sarael@gmail.com'),
  )
})
