import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import product from '../../../package.json' with { type: 'json' }
import { generateFiles } from '../generated-files.ts'
import own from '../package.json' with { type: 'json' }

it('is generated from the released document; `pnpm --filter @community/client generate` writes it', async () => {
  for (const [name, text] of await generateFiles()) {
    const written = await readFile(new URL(`../src/${name}`, import.meta.url), 'utf8')
    // Not `toBe`: the difference would be printed line by line.
    expect([name, written === text]).toEqual([name, true])
  }
})

it('has the product’s version', () => expect(own.version).toBe(product.version))
