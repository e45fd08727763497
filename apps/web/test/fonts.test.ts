import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'vitest'
import { SRC } from './sources.ts'

it('has fonts of the first view with every character of the texts, made from the installed fonts', () => {
  execFileSync(process.execPath, [join(SRC, '../build/subset-fonts.mjs'), '--check'], { stdio: 'pipe' })
})
