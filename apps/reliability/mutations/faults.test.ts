import { expect, it } from 'vitest'
import { faults } from './mutate.ts'
import { findUnmatched } from './try-faults.ts'

it('each fault matches the source once and has tests', async () => {
  expect(await findUnmatched(faults)).toEqual([])
})
