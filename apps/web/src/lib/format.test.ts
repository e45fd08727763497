import { afterEach, expect, it } from 'vitest'
import { formatDate, formatNumber } from './format.ts'
import { activateLanguage, t } from './i18n.ts'

afterEach(() => activateLanguage('en'))

it('groups the digits of French numbers as mails do, also in plurals, and writes dates as Morocco does', async () => {
  await activateLanguage('fr')
  expect(formatNumber(1240)).toBe('1\u202f240')
  expect(t('{points, plural, one {# point} other {# points}}', { points: 1240 })).toBe('1\u202f240 points')
  expect(formatDate('2026-02-05T12:00:00Z')).toBe('5 fév. 2026')
})
