// Makes the fonts of the first view: the characters that fonts.css declares for them, which must be all of the English and
// French texts. With `--check`, only compares the files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const STYLES = join(import.meta.dirname, '../src/styles')
const SOURCES = {
  'figtree-en-fr': '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
  'bricolage-grotesque-en-fr': '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2',
}

/** The characters of the `unicode-range` that fonts.css declares for a file. */
function charactersOf(font) {
  const css = readFileSync(join(STYLES, 'fonts.css'), 'utf8')
  const [, range = ''] = new RegExp(`/${font}\\.woff2"[^}]*unicode-range:([^;]+);`).exec(css) ?? []
  return range
    .split(',')
    .map((part) => {
      const [first, last = first] = part
        .trim()
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index))
    })
    .join('')
}

const { resolve } = createRequire(import.meta.url)
mkdirSync(join(STYLES, 'fonts'), { recursive: true })
for (const [font, source] of Object.entries(SOURCES)) {
  const characters = charactersOf(font)
  for (const language of ['en', 'fr']) {
    const texts = readFileSync(join(STYLES, `../locales/${language}.po`), 'utf8').replaceAll('\n', '')
    const missing = new Set([...texts].filter((character) => !characters.includes(character)))
    if (missing.size > 0) throw new Error(`${font} lacks characters of ${language}.po: ${[...missing].join(' ')}`)
  }
  const file = join(STYLES, `fonts/${font}.woff2`)
  const made = await subsetFont(readFileSync(resolve(source)), characters, { targetFormat: 'woff2' })
  if (!process.argv.includes('--check')) writeFileSync(file, made)
  else if (!made.equals(readFileSync(file)))
    throw new Error(`${font}.woff2 is outdated: run node build/subset-fonts.mjs`)
}
