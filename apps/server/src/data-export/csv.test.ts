import { describe, expect, it } from 'vitest'
import { formatCsvLine } from './csv.ts'

describe('formatCsvLine', () => {
  it.each([
    ['separates cells by commas and ends with CRLF', ['a', 1, true], 'a,1,true\r\n'],
    ['leaves null empty', ['a', null, undefined], 'a,,\r\n'],
    ['quotes commas, quotes and line breaks', ['a,b', 'say "no"', 'c\nd'], '"a,b","say ""no""","c\nd"\r\n'],
    ['quotes what other separators would split', ['a;b', 'c\td'], '"a;b","c\td"\r\n'],
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

  it.each([
    ['Atlas;=HYPERLINK(A1);x', `"Atlas;'=HYPERLINK(A1);x"`],
    ['a; \u00a0+1', `"a; \u00a0'+1"`],
    ['a;"=1+1', `"a;""'=1+1"`],
    ['a\t-1', `"a\t'-1"`],
    ['a|@SUM(A1)', `a|'@SUM(A1)`],
    ['a\n＝1', `"a\n'＝1"`],
    ['a;;=1;=2', `"a;;'=1;'=2"`],
    [{ name: 'Atlas;=1' }, `"{""name"":""Atlas;'=1""}"`],
    ['a = b; c - d', '"a = b; c - d"'],
  ])('makes texts of the formulas that another separator would leave of %j', (value, cell) => {
    expect(formatCsvLine([value]).slice(0, -2)).toBe(cell)
  })
})
