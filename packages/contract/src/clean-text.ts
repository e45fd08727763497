// Normalises user text for storage, comparison and search, in linear time for any input.

// An emoji sequence (tone, variation selector, joiners) or a keycap.
const EMOJI =
  /\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0e\ufe0f]?(?:\u200d\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)*|[0-9#*]\ufe0f\u20e3/u
// Between two Arabic letters a zero-width non-joiner changes their shape.
const ARABIC_NON_JOINER = /(?=\p{Script=Arabic})\p{L}\p{M}{0,4}\u200c(?=(?=\p{Script=Arabic})\p{L})/u
// Controls, private-use and unassigned characters, and everything fonts render as nothing: fillers, joiners, selectors, tags, blanks.
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc\u{1d159}]/u

/** Matches what to remove; group 1 captures what to keep although it contains an invisible character. */
const invisibleExcept = (allowed: string) =>
  new RegExp(`(${EMOJI.source}|${ARABIC_NON_JOINER.source}|${allowed})|${INVISIBLE.source}`, 'gu')
const INVISIBLE_IN_LINE = invisibleExcept('(?!)')
// Direction marks are needed in mixed Arabic and Latin text; overrides and isolates are not allowed.
const INVISIBLE_IN_TEXT = invisibleExcept('[\\n\\u061c\\u200e\\u200f]')
const INVISIBLE_ANYWHERE = new RegExp(`(?!\\n)${INVISIBLE.source}`, 'gu')

const SPACES = /[\t-\r\u0085\p{Z}]+/gu
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

// No script stacks more than 8 marks, and NFC takes quadratic time on longer runs.
const toNfc = (text: string): string => limitCombiningMarks(limitCombiningMarks(text).normalize('NFC'))
const limitCombiningMarks = (text: string): string => text.replace(/(\p{M}{8})\p{M}+/gu, '$1')

const removeInvisible = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (_match, allowed: string | undefined) => allowed ?? '')

const emptyIfInvisible = (text: string): string => (VISIBLE.test(text) ? text : '')

/** A single line for storage: NFC, no invisible characters, single spaces, trimmed; empty if nothing is visible. */
export function cleanLine(text: string): string {
  const spaced = text.replace(SPACES, ' ')
  const line = toNfc(removeInvisible(spaced, INVISIBLE_IN_LINE)).replace(SPACES, ' ').trim()
  return emptyIfInvisible(line)
}

/** Multi-line text for storage: NFC, `\n` line ends, no invisible characters except direction marks, trimmed; empty if nothing is visible. */
export function cleanText(text: string): string {
  const lines = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[\t\v\f]/g, ' ')
  return emptyIfInvisible(toNfc(removeInvisible(lines, INVISIBLE_IN_TEXT)).trim())
}

let graphemes: Intl.Segmenter | undefined

/**
 * True if a text has at least `count` characters (grapheme clusters). Marks alone do not count; spaces do, because a cleaned line has single
 * ones between words only.
 */
export function hasVisibleCharacters(text: string, count: number): boolean {
  graphemes ??= new Intl.Segmenter('en')
  let visible = 0
  for (const { segment } of graphemes.segment(text)) {
    if (segment === ' ' || VISIBLE.test(segment)) visible += 1
    if (visible >= count) return true
  }
  return false
}

/** The key for comparing names: ignores case, width, ligatures, extra spaces and invisible characters. */
export const nameKey = (name: string): string =>
  limitCombiningMarks(cleanLine(name))
    .normalize('NFKC')
    // To upper and back to lower case, so that ß equals ss, ſ equals s, and both small sigmas match.
    .toUpperCase()
    .toLowerCase()
    .replace(INVISIBLE_ANYWHERE, '')
    .normalize('NFKC')
    .replace(SPACES, ' ')
    .trim()

/** The key for searching: folds case, accents, Arabic letter forms, vowel marks and tatweel. */
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
