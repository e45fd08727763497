import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallName, PERMISSIONS } from './permissions.ts'
import { trpcDoor } from './permissions-transports.ts'
import { ROUTES } from './permissions-routes.ts'
import { checkCall } from './permissions-run.ts'
import { openSituation, type Situation } from './permissions-situation.ts'

let s: Situation
beforeAll(async () => {
  s = await openSituation()
})
afterAll(() => s.close())

// The cast is proven by the first test.
const calls = Object.keys(PERMISSIONS) as CallName[]

describe('T-E1 permissions over tRPC', () => {
  it('T-E1 the matrix lists every procedure of the contract', () =>
    expect(calls.toSorted()).toEqual([...ROUTES.keys()].toSorted()))
  it.each(calls)('T-E1 %s', (name) => checkCall(s, trpcDoor(s.world), name))
})
