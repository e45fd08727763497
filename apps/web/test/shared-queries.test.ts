import { contract, routesOf } from '@community/contract'
import { expect, it } from 'vitest'
import { SHARED_QUERIES } from '../src/lib/shared-queries.ts'

it('names every query that the server caches by role', () => {
  const shared = routesOf(contract).filter(([, { cached }]) => cached === 'by role')
  expect([...SHARED_QUERIES].toSorted()).toEqual(shared.map(([path]) => path).toSorted())
})
