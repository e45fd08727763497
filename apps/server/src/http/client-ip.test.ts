import { describe, expect, it } from 'vitest'
import { ipKey, limitsPerIp, normalizeForwardedFor, parseForwardedEntry } from './client-ip.ts'

describe('parseForwardedEntry', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ])('parses %s as %s', (entry, address) => expect(parseForwardedEntry(entry)).toBe(address))

  it.each([
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '1',
    '0x7f.1',
    '1.2.3.4:',
    '1.2.3.4:port',
    '1.2.3.4/8',
    '[1.2.3.4',
    '[]:1',
    '%eth0',
    'example.com:80',
  ])('rejects %j', (entry) => expect(parseForwardedEntry(entry)).toBeUndefined())
})

describe('normalizeForwardedFor', () => {
  const normalized = (value: string | undefined) => {
    const headers = value === undefined ? {} : { 'x-forwarded-for': value }
    normalizeForwardedFor({ headers })
    return headers['x-forwarded-for']
  }
  it.each([
    [undefined, undefined],
    ['', undefined],
    [' , ', undefined],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['198.51.100.7, [2001:db8::1]:443,10.0.0.1:80', '198.51.100.7, 2001:db8::1, 10.0.0.1'],
    // The client controls everything before the entry that a proxy added.
    ['anything, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.7, unknown, 10.0.0.1', '10.0.0.1'],
    ['198.51.100.7, unknown', undefined],
  ])('rewrites %j to %j', (value, expected) => expect(normalized(value)).toBe(expected))
})

describe('ipKey', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1::', '2001:db8:1:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['whatever a client likes', 'unknown'],
    ['', 'unknown'],
  ])('counts %s as %s', (address, key) => expect(ipKey(address)).toBe(key))

  it('limits IPv6 also per /48, with ten times the limit', () => {
    const limit = { max: 60, seconds: 300 }
    expect(limitsPerIp('wrong', '192.0.2.7', limit)).toEqual([{ key: 'wrong:192.0.2.7', ...limit }])
    expect(limitsPerIp('wrong', '2001:db8:1:2::9', limit)).toEqual([
      { key: 'wrong:2001:db8:1:2::/64', ...limit },
      { key: 'wrong:2001:db8:1::/48', max: 600, seconds: 300 },
    ])
  })
})
