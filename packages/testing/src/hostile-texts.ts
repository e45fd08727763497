const LENGTH = 60_000

/** Long texts that are slow for backtracking patterns and for cleaning, by what they are. */
export const HOSTILE_TEXTS: readonly [what: string, text: string][] = [
  ['one letter', 'a'.repeat(LENGTH)],
  ['spaces', ' '.repeat(LENGTH) + 'x'],
  ['an address without an end', `a@${'a.'.repeat(LENGTH / 2)}`],
  ['hyphens of a host', `a@${'a-'.repeat(LENGTH / 2)}!`],
  ['digits', `0${'6'.repeat(LENGTH)}!`],
  ['marks', `e${'\u0301'.repeat(LENGTH / 2)}`],
  ['two kinds of marks', `a${'\u0316\u0301'.repeat(LENGTH / 2)}`],
  ['marks of one Arabic letter', `ن${'\u064b'.repeat(LENGTH)}`],
  ['Arabic marks without a letter', '\u0610'.repeat(LENGTH)],
  ['Arabic letters with joiners', 'ن\u200c'.repeat(LENGTH / 2)],
  ['joined emoji', '👨‍👩‍👧'.repeat(LENGTH / 8)],
  ['emoji with joiners', '👩\u200d'.repeat(LENGTH / 3)],
  ['zero-width spaces', ' \u200b'.repeat(LENGTH / 2)],
  ['fillers', '\u3164'.repeat(LENGTH)],
  ['a path', `https://x.ma/${'../'.repeat(LENGTH / 3)}`],
  ['line ends', '\r\n'.repeat(LENGTH / 4) + 'x'],
  ['wildcards', '%_\\'.repeat(LENGTH / 6)],
]
