import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEAM_COLOUR_COUNT } from '@community/contract/colour'
import { describe, expect, it } from 'vitest'
import { SRC, sources } from './sources.ts'

/** Utilities for left or right, which are not mirrored in Arabic. */
const PHYSICAL =
  /(?<=["'`\s:!-])-?(?:m[lr]|p[lr]|left|right|border-[lr]|rounded-(?:[lr]|[tb][lr])|scroll-[mp][lr])-[\w.[\]/]+|\b(?:text|float|clear)-(?:left|right)\b/g

describe('styles', () => {
  it('use start and end instead of left and right', () => {
    const found = sources().flatMap(({ path, text }) =>
      [...text.matchAll(/(?:className|clsx|=)[^\n]*|'[^'\n]*'/g)]
        .flatMap((line) => [...line[0].matchAll(PHYSICAL)])
        .map((match) => `${path}: ${match[0]}`),
    )
    expect([...new Set(found)]).toEqual([])
  })

  it('have a colour set for each number of a team’s colour, light and dark', () => {
    const css = readFileSync(join(SRC, 'styles/team-colours.css'), 'utf8')
    const pair = String.raw`light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);`
    const set = new RegExp(
      String.raw`\.team-(\d+) \{\s+--team-tile: (${pair})\s+--team-band: ${pair}\s+--team-text: ${pair}\s+\}`,
      'g',
    )
    const sets = [...css.matchAll(set)]
    expect(sets.map(([, number]) => Number(number))).toEqual(
      Array.from({ length: TEAM_COLOUR_COUNT }, (_, index) => index),
    )
    expect(new Set(sets.map(([, , tile]) => tile)).size).toBe(TEAM_COLOUR_COUNT)
  })
})
