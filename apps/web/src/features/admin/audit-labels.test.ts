import { contract, routesOf } from '@community/contract'
import { expect, it } from 'vitest'
import { AUDIT_ACTIONS } from './audit-labels.ts'

it('has a label for every audited procedure', () => {
  const audited = routesOf(contract).flatMap(([name, { audits }]) => (audits === null ? [] : [name]))
  expect(AUDIT_ACTIONS).toEqual(expect.arrayContaining(audited))
})
