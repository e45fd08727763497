import { validateStatements } from '@community/db'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('every named statement of the server fits the migrated schema', async () => {
  expect(await validateStatements(world)).toEqual([])
  await world.sql`alter table teams rename column is_active to was_active`
  expect((await validateStatements(world)).length).toBeGreaterThan(5)
})
