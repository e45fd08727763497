/** A byte order mark, without which Excel reads UTF-8 as the system's encoding. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Beginnings of a cell that spreadsheets run as a formula, also after blanks and in full-width form. */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]/
/** The same after a character at which a spreadsheet may begin a cell: French Excel separates cells by semicolons, and ignores these quotes. */
const FORMULA_WITHIN = /([;|\t\r\n](?:[^\S\t\r\n]|")*)(?=[=+\-@＝＋－＠])/g

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return FORMULA.test(value) ? `'${value}` : value
  return JSON.stringify(value)
}

function formatCell(value: unknown): string {
  const text = toText(value).replace(FORMULA_WITHIN, "$1'")
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of RFC 4180. An apostrophe in front of what a spreadsheet would run as a formula makes it a text. */
export const formatCsvLine = (values: readonly unknown[]): string => `${values.map(formatCell).join(',')}\r\n`
