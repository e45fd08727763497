/** What people write, as it is stored, compared and searched: linear in its length, whatever it holds. */

// An emoji with its tone, style and the joiners between its parts; a keycap.
const EMOJI =
  /\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0e\ufe0f]?(?:\u200d\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)*|[0-9#*]\ufe0f\u20e3/u
// Between two Arabic letters a non-joiner changes how they are drawn.
const PARTED_LETTERS = /(?=\p{Script=Arabic})\p{L}\p{M}{0,4}\u200c(?=(?=\p{Script=Arabic})\p{L})/u
// Controls, private and unassigned characters, what fonts draw nothing for: fillers, joiners, selectors, tags, blanks.
const UNSEEN = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc\u{1d159}]/u

/** Finds what is taken out; its first group holds what stays although it has an unseen part. */
const unseenBut = (kept: string) =>
  new RegExp(`(${EMOJI.source}|${PARTED_LETTERS.source}|${kept})|${UNSEEN.source}`, 'gu')
const UNSEEN_IN_LINE = unseenBut('(?!)')
// Direction marks help where Arabic and Latin stand in one paragraph; overrides and isolates may not come in.
const UNSEEN_IN_TEXT = unseenBut('[\\n\\u061c\\u200e\\u200f]')
const UNSEEN_ANYWHERE = new RegExp(`(?!\\n)${UNSEEN.source}`, 'gu')

const SPACES = /[\t-\r\u0085\p{Z}]+/gu
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u

// No script stacks more marks; normalising a long run of them takes time in the square of its length.
const composed = (text: string): string => withoutTowers(withoutTowers(text).normalize('NFC'))
const withoutTowers = (text: string): string => text.replace(/(\p{M}{8})\p{M}+/gu, '$1')

const withoutUnseen = (text: string, unseen: RegExp): string =>
  text.replace(unseen, (_found, kept: string | undefined) => kept ?? '')

const emptyIfUnseen = (text: string): string => (SEEN.test(text) ? text : '')

/** One line of text as it is stored: NFC, nothing invisible, single spaces, trimmed; empty when it shows nothing. */
export function cleanLine(text: string): string {
  const spaced = text.replace(SPACES, ' ')
  const line = composed(withoutUnseen(spaced, UNSEEN_IN_LINE)).replace(SPACES, ' ').trim()
  return emptyIfUnseen(line)
}

/** Text of several lines as it is stored: NFC, `\n` line ends, nothing invisible but direction marks, trimmed; empty when it shows nothing. */
export function cleanText(text: string): string {
  const lines = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[\t\v\f]/g, ' ')
  return emptyIfUnseen(composed(withoutUnseen(lines, UNSEEN_IN_TEXT)).trim())
}

let graphemes: Intl.Segmenter | undefined

/** Does a cleaned text show at least so many characters, as a reader counts them? Marks and spaces alone do not count. */
export function showsAtLeast(text: string, count: number): boolean {
  graphemes ??= new Intl.Segmenter('en')
  let shown = 0
  for (const { segment } of graphemes.segment(text)) {
    if (SEEN.test(segment)) shown += 1
    if (shown >= count) return true
  }
  return false
}

/** What two names are compared by: without regard to case, width, ligatures, space or anything invisible. */
export const nameKey = (name: string): string =>
  withoutTowers(cleanLine(name))
    .normalize('NFKC')
    // Up and down again: ß and ss, ſ and s, the two small sigmas are one letter each.
    .toUpperCase()
    .toLowerCase()
    .replace(UNSEEN_ANYWHERE, '')
    .normalize('NFKC')
    .replace(SPACES, ' ')
    .trim()

/** What a search compares: case, accents, Arabic letter forms, vowel marks and tatweel folded away. */
export const searchKey = (text: string): string =>
  cleanText(text)
    .replace(UNSEEN_ANYWHERE, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u0640]/g, '')
    .normalize('NFC')
    .replace(/[\u0622\u0623\u0625\u0671]/g, '\u0627')
    .replace(/\u0649/g, '\u064a')
    .replace(/\u0629/g, '\u0647')
