/** What people write, as it is stored, compared and searched: linear in its length, whatever it holds. */

// An emoji with its tone, style and the joiners between its parts; a keycap.
const EMOJI =
  /\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0e\ufe0f]?(?:\u200d\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)*|[0-9#*]\ufe0f\u20e3/u
// Between two Arabic letters a non-joiner changes how they are drawn.
const ARABIC_NON_JOINER = /(?=\p{Script=Arabic})\p{L}\p{M}{0,4}\u200c(?=(?=\p{Script=Arabic})\p{L})/u
// Controls, private and unassigned characters, what fonts draw nothing for: fillers, joiners, selectors, tags, blanks.
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc\u{1d159}]/u

/** Finds what is taken out; its first group holds what stays although it has an unseen part. */
const invisibleExcept = (allowed: string) =>
  new RegExp(`(${EMOJI.source}|${ARABIC_NON_JOINER.source}|${allowed})|${INVISIBLE.source}`, 'gu')
const INVISIBLE_IN_LINE = invisibleExcept('(?!)')
// Direction marks help where Arabic and Latin stand in one paragraph; overrides and isolates may not come in.
const INVISIBLE_IN_TEXT = invisibleExcept('[\\n\\u061c\\u200e\\u200f]')
const INVISIBLE_ANYWHERE = new RegExp(`(?!\\n)${INVISIBLE.source}`, 'gu')

const SPACES = /[\t-\r\u0085\p{Z}]+/gu
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

// No script stacks more marks; normalising a long run of them takes time in the square of its length.
const toNfc = (text: string): string => limitCombiningMarks(limitCombiningMarks(text).normalize('NFC'))
const limitCombiningMarks = (text: string): string => text.replace(/(\p{M}{8})\p{M}+/gu, '$1')

const removeInvisible = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (_found, allowed: string | undefined) => allowed ?? '')

const emptyIfInvisible = (text: string): string => (VISIBLE.test(text) ? text : '')

/** One line of text as it is stored: NFC, nothing invisible, single spaces, trimmed; empty when it shows nothing. */
export function cleanLine(text: string): string {
  const spaced = text.replace(SPACES, ' ')
  const line = toNfc(removeInvisible(spaced, INVISIBLE_IN_LINE)).replace(SPACES, ' ').trim()
  return emptyIfInvisible(line)
}

/** Text of several lines as it is stored: NFC, `\n` line ends, nothing invisible but direction marks, trimmed; empty when it shows nothing. */
export function cleanText(text: string): string {
  const lines = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[\t\v\f]/g, ' ')
  return emptyIfInvisible(toNfc(removeInvisible(lines, INVISIBLE_IN_TEXT)).trim())
}

let graphemes: Intl.Segmenter | undefined

/** Does a cleaned text show at least so many characters, as a reader counts them? Marks and spaces alone do not count. */
export function hasVisibleCharacters(text: string, count: number): boolean {
  graphemes ??= new Intl.Segmenter('en')
  let shown = 0
  for (const { segment } of graphemes.segment(text)) {
    if (VISIBLE.test(segment)) shown += 1
    if (shown >= count) return true
  }
  return false
}

/** What two names are compared by: without regard to case, width, ligatures, space or anything invisible. */
export const nameKey = (name: string): string =>
  limitCombiningMarks(cleanLine(name))
    .normalize('NFKC')
    // Up and down again: ß and ss, ſ and s, the two small sigmas are one letter each.
    .toUpperCase()
    .toLowerCase()
    .replace(INVISIBLE_ANYWHERE, '')
    .normalize('NFKC')
    .replace(SPACES, ' ')
    .trim()

/** What a search compares: case, accents, Arabic letter forms, vowel marks and tatweel folded away. */
export const searchKey = (text: string): string =>
  cleanText(text)
    .replace(INVISIBLE_ANYWHERE, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u0640]/g, '')
    .normalize('NFC')
    .replace(/[\u0622\u0623\u0625\u0671]/g, '\u0627')
    .replace(/\u0649/g, '\u064a')
    .replace(/\u0629/g, '\u0647')
