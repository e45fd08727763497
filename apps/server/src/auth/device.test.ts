import { describe, expect, it } from 'vitest'
import { lookUpCountry } from './country-of-ip.ts'
import { parseDevice } from './device.ts'

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('parseDevice', () => {
  it.each([
    [`Mozilla/5.0 (Linux; Android 14; SM-A546B) ${KHTML} Chrome/126.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
      'Microsoft Edge',
      'Windows',
    ],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
    ],
    [
      `Mozilla/5.0 (Linux; U; Android 13; fr-fr; Redmi Note 12) ${KHTML} Version/4.0 Chrome/112.0.0.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.5`,
      'Miui',
      'Android',
    ],
    [`Mozilla/5.0 (Linux; Android 10) ${KHTML} Chrome/91.0 Mobile Safari/537.36 OPT/2.9.0`, 'Opera Touch', 'Android'],
  ])('reads the families of %s', (userAgent, browser, system) =>
    expect(parseDevice(userAgent)).toEqual({ browser, system }),
  )

  it('ignores the version', () => {
    const version = (number: number) =>
      parseDevice(`Mozilla/5.0 (Linux; Android 14) ${KHTML} Chrome/${number}.0 Safari/537.36`)
    expect(version(150)).toEqual(version(126))
  })

  it.each([
    '',
    '   ',
    'curl/8.1',
    'Your account is locked, call 0612345678/1.0 (http://evil.example) now',
    'Win/1.0 (X',
    '__proto__/1.0 (constructor)',
    '('.repeat(300),
  ])('returns no text of an unknown user agent: %j', (userAgent) =>
    expect(parseDevice(userAgent)).toEqual({ browser: null, system: null }),
  )
})

describe('lookUpCountry', () => {
  it.each([
    ['105.158.0.1', 'MA'],
    ['::ffff:41.140.3.4', 'MA'],
    ['8.8.8.8', 'US'],
    ['127.0.0.1', null],
    ['192.168.1.20', null],
    ['2001:db8::1', null],
    ['nonsense', null],
    ['', null],
  ])('finds %s in %s', async (address, country) => expect(await lookUpCountry(address)).toBe(country))
})
