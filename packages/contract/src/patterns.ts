// Regular expressions of the OpenAPI document for rules that zod checks by functions. Without `\p{…}` and look-ahead, which not all clients support.

/** Any character except spaces and those that cleaning removes: controls, fillers, marks without a letter, private use. */
const VISIBLE =
  '[^\\x00-\\x20\\x7f-\\xa0\\xad\\u0300-\\u036f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ue000-\\uf8ff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\uffff]'

export const ONE_LINE = '^[^\\r\\n]*$'
/** A line with at least `min` visible characters. */
export const lineOf = (min: number): string => `^[^\\r\\n]*(?:${VISIBLE}[^\\r\\n]*){${min}}$`
/** A line with at least three characters, of which one may be a space between the others. */
export const LINE_OF_3 = `^[^\\r\\n]*(?:(?:${VISIBLE}[^\\r\\n]*){3}|${VISIBLE} +${VISIBLE}[^\\r\\n]*)$`
export const VISIBLE_TEXT = VISIBLE
/** A text that still has `min` characters after cleaning. */
export const textOf = (min: number): string => `${VISIBLE}(?:${VISIBLE}|[ \\n]){${min - 2},}${VISIBLE}`

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const emailOf = (local: string): string => `^[${local}]+@${label}(?:\\.${label})+$`
export const EMAIL = emailOf("A-Za-z0-9.!#$%&'*+/=?^_`{|}~-")
export const CONTACT_EMAIL = emailOf("A-Za-z0-9.!#$'*+/=^_`{|}~-")

const domain = '(?:[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?\\.)*[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])?'
const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const ipv4 = `(?:${byte}\\.){3}${byte}`
const port = ':(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'
/** The links that the server accepts, as it stores them: host names in other letters as Punycode. Without IPv6 addresses. */
const link = `https?://(?:${domain}|${ipv4})(?:${port})?(?:[/?#][^\\x00-\\x20\\x7f-\\xa0\\u202a-\\u202e\\u2066-\\u2069\\\\]*)?`
export const LINK = `^${link}$`
export const OPTIONAL_LINK = `^(?:${link})?$`

/** A time after the year 999, with its offset. */
export const TIME =
  '^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$'

const anyOrder = ([first, second, third]: [string, string, string]): string =>
  [
    [first, second, third],
    [first, third, second],
    [second, first, third],
    [second, third, first],
    [third, first, second],
    [third, second, first],
  ]
    .map((order) => order.join('[\\s\\S]*'))
    .join('|')
/** A lowercase letter, an uppercase letter and a digit. */
export const STRONG_PASSWORD = anyOrder(['[a-z]', '[A-Z]', '[0-9]'])
