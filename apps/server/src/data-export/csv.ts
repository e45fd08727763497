/** A byte order mark, without which Excel reads UTF-8 as the system's encoding. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Beginnings of a cell that spreadsheets run as a formula, also after blanks and in full-width form. */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]/

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return FORMULA.test(value) ? `'${value}` : value
  return JSON.stringify(value)
}

function formatCell(value: unknown): string {
  const text = toText(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of RFC 4180. An apostrophe in front of a text that a spreadsheet would run as a formula makes it a text. */
export const formatCsvLine = (values: readonly unknown[]): string => `${values.map(formatCell).join(',')}\r\n`
