import { validateStatements } from '@community/db'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('every prepared statement is valid on the migrated schema', async () => {
  expect(await validateStatements(world)).toEqual([])
  await world.sql`alter table teams rename column is_active to was_active`
  expect((await validateStatements(world)).length).toBeGreaterThan(5)
})
