import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { teamColoursCss } from '../build/team-colours.ts'
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

  it('have the contract’s team colours', async () => {
    await expect(teamColoursCss()).toMatchFileSnapshot(join(SRC, 'styles/team-colours.css'))
  })
})
