import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLine, cleanText, nameKey, searchKey, hasVisibleCharacters } from './clean-text.ts'

const INVISIBLE = {
  'Hangul filler': '\u3164',
  'Hangul choseong filler': '\u115f',
  'Hangul jungseong filler': '\u1160',
  'half-width Hangul filler': '\uffa0',
  'braille blank': '\u2800',
  'zero-width space': '\u200b',
  'zero-width non-joiner': '\u200c',
  'zero-width joiner': '\u200d',
  'word joiner': '\u2060',
  'byte order mark': '\ufeff',
  'soft hyphen': '\u00ad',
  'variation selector': '\ufe0f',
  'variation selector 17': '\u{e0100}',
  'grapheme joiner': '\u034f',
  'Mongolian vowel separator': '\u180e',
  'tag character': '\u{e0041}',
  'direction override': '\u202e',
  'Arabic letter mark': '\u061c',
  'private use': '\ue000',
  unassigned: '\u0378',
  'lone surrogate': '\ud800',
  NUL: '\u0000',
  'object replacement': '\ufffc',
  'null notehead': '\u{1d159}',
}

describe.each(Object.entries(INVISIBLE))('%s', (_name, invisible) => {
  it('is not a name on its own', () => expect(cleanLine(invisible.repeat(5))).toBe(''))
  it('is removed from a name without leaving a space', () => {
    expect(cleanLine(`At${invisible}las`)).toBe('Atlas')
    expect(nameKey(`At${invisible}las`)).toBe(nameKey('Atlas'))
  })
  it('is not a text on its own', () => expect(cleanText(`${invisible}\n${invisible}`)).toBe(''))
})

describe('cleanLine', () => {
  it.each([
    ['an emoji of several parts', '👩🏽‍💻 👨‍👩‍👧 🏳️‍🌈 ❤️ 1️⃣ 🇲🇦'],
    ['Arabic', 'محمد العلوي'],
    ['Arabic with vowel marks', 'مُحَمَّد'],
    ['a non-joiner between Arabic letters', 'می\u200cخواهم'],
    ['Tifinagh', 'ⵜⵉⴼⵉⵏⴰⵖ'],
    ['French', 'Équipe d’Été — n°1'],
    ['Amazigh in Latin letters', 'Iẓuran'],
  ])('keeps %s', (_case, name) => expect(cleanLine(name)).toBe(name))
  it.each([
    ['spaces of every kind', ' A\u00a0\u2003b\tc\r\nd\u3000', 'A b c d'],
    ['a joiner with nothing to join', '👩\u200d Sara\u200d', '👩 Sara'],
    ['two joiners', '👩\u200d\u200d💻', '👩💻'],
    ['a non-joiner at the end of a word', 'می\u200c خواهم', 'می خواهم'],
    ['a character between a letter and its accent', 'e\u200b\u0301', 'é'],
    ['marks without a letter', '\u0301\u0301 \u0301', ''],
    ['a stack of 50 marks', `a${'\u0316'.repeat(50)}`, `a${'\u0316'.repeat(8)}`],
  ])('cleans %s', (_case, input, stored) => expect(cleanLine(input)).toBe(stored))
})

describe('cleanText', () => {
  it('keeps line ends, direction marks and French spaces', () =>
    expect(cleanText(' Un\u00a0: deux\r\n\r\nثلاثة\u200f !\u202e ')).toBe('Un\u00a0: deux\n\nثلاثة\u200f !'))
})

const textParts = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...Object.values(INVISIBLE),
      '👩',
      '💻',
      '🏽',
      '❤',
      '1',
      '\u20e3',
      'ن',
      'ا',
      '\u064b',
      '\u0344',
      'e',
      '\u0301',
    ),
    fc.constantFrom(' ', '\n', '\u00a0', 'ﬁ', 'Ａ', 'ß', 'İ', 'Σ', '¨', '\u0958'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
  { maxLength: 40 },
)
const assertIdempotent = (clean: (text: string) => string) =>
  fc.assert(
    fc.property(textParts, (parts) => {
      const once = clean(parts.join(''))
      return clean(once) === once
    }),
    { numRuns: 3000 },
  )

describe('cleaning', () => {
  it('of a line is idempotent', () => assertIdempotent(cleanLine))
  it('of a text is idempotent', () => assertIdempotent(cleanText))
})

describe('hasVisibleCharacters', () => {
  it.each([
    ['ab', 2],
    ['👩🏽‍💻👨‍👩‍👧', 2],
    ['مُحَ', 2],
    ['e\u0301a\u0316', 2],
    ['a b', 3],
    ['', 0],
  ])('counts %j as %i', (text, count) => {
    expect(hasVisibleCharacters(text, count + 1)).toBe(false)
    if (count > 0) expect(hasVisibleCharacters(text, count)).toBe(true)
  })
})

describe('nameKey is equal for', () => {
  it.each([
    ['Atlas', 'ATLAS'],
    ['Atlas', 'Ａｔｌａｓ'],
    ['Atlas', 'At\u200blas'],
    ['Atlas', 'At\u00adlas'],
    ['Atlas Lions', ' Atlas\u200f \u3000 LIONS '],
    ['Finale', 'ﬁnale'],
    ['Straße', 'STRASSE'],
    ['Été', 'E\u0301te\u0301'],
    ['Été', 'ÉTÉ'],
    ['❤ Fès', '❤️ fès'],
    ['نجم', '\ufee7\ufea0\ufee2'],
    ['میخواهم', 'می\u200cخواهم'],
    ['ΟΔΟΣ', 'οδος'],
  ])('%s and %s', (a, b) => expect(nameKey(b)).toBe(nameKey(a)))
})

describe('nameKey differs for', () => {
  it.each([
    ['Atlas Lions', 'AtlasLions'],
    ['Été', 'Ete'],
    ['🦁🦁🦁', '🐪🐪🐪'],
    ['👍🏻👍🏻👍🏻', '👍🏽👍🏽👍🏽'],
    ['ⵜⵉⴼ', 'ⵜⵉⴽ'],
    ['أطلس', 'اطلس'],
    ['Team 1', 'Team 2'],
  ])('%s and %s', (a, b) => expect(nameKey(b)).not.toBe(nameKey(a)))
})

describe('searchKey', () => {
  it.each([
    ['Équipe Médina', 'equipe medina'],
    ['فَرِيقُ الأَطلَس', 'فريق الاطلس'],
    ['مدرسة', 'مدرسه'],
    ['على', 'علي'],
    ['At\u200elas', 'atlas'],
    ['إيمان آدم أحمد ٱلأطلس', 'ايمان ادم احمد الاطلس'],
    ['مسؤول', 'مسوول'],
    ['شاطئ', 'شاطي'],
    ['كــتــاب', 'كتاب'],
    ['تِيفِيناغٌ', 'تيفيناغ'],
    ['Çà Noël Iẓuran', 'ca noel izuran'],
  ])('folds %s to %s', (text, key) => expect(searchKey(text)).toBe(key))
})
