import { describe, expect, it } from 'vitest'
import { formatCsvLine } from './csv.ts'

describe('formatCsvLine', () => {
  it.each([
    ['separates cells by commas and ends with CRLF', ['a', 1, true], 'a,1,true\r\n'],
    ['leaves null empty', ['a', null, undefined], 'a,,\r\n'],
    ['quotes commas, quotes and line breaks', ['a,b', 'say "no"', 'c\nd'], '"a,b","say ""no""","c\nd"\r\n'],
    ['quotes blanks at either end', [' a', 'b '], '" a","b "\r\n'],
    ['writes objects as JSON', [{ name: 'x' }], '"{""name"":""x""}"\r\n'],
    ['leaves Arabic as it is', ['فريق الأطلس'], 'فريق الأطلس\r\n'],
    ['leaves negative numbers as numbers', [-20], '-20\r\n'],
  ])('%s', (_what, values, line) => {
    expect(formatCsvLine(values)).toBe(line)
  })

  it.each(['=1+1', '+212 600 000 000', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '  =1', '＝1', '＋1', '－1', '＠x'])(
    'makes a text of the formula %j',
    (formula) => {
      const cell = formatCsvLine([formula]).slice(0, -2)
      expect(cell.replace(/^"/, '').startsWith("'")).toBe(true)
    },
  )
})
