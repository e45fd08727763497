import { contract, routesOf } from '@community/contract'
import { describe, expect, it } from 'vitest'
import { describeOperation } from './descriptions.ts'

const routes = routesOf(contract).map(([, route]) => route)

describe('the description of an operation', () => {
  it('says whose calls are written to the audit log', () => {
    for (const route of routes) {
      const [, said = null] = /([\w ]+) is written to the audit log\./.exec(describeOperation(route)) ?? []
      const calls = route.access === 'admin' ? 'The call' : 'A call as administrator'
      expect([route.path, said?.trim() ?? null]).toEqual([route.path, route.audits && calls])
    }
  })

  it('does not say of a sign-out that a valid token shows more', () => {
    expect(describeOperation(contract.auth.logout)).toContain('Needs no token; an invalid one is ignored.')
    expect(describeOperation(contract.auth.refresh)).toContain('Needs no token; one that is sent is ignored.')
    expect(describeOperation(contract.teams.list)).toContain('Anyone may call it; a valid token can show more.')
  })
})
