import { contract, routesOf } from '@community/contract'
import { describe, expect, it } from 'vitest'
import { type ProcedureName, validInput } from './valid-inputs.ts'

const withInput = routesOf(contract).filter(([, { input }]) => input)

describe('a valid input', () => {
  it.each(withInput)('of %s meets its schema', (name, { input }) => {
    expect(input?.safeParse(validInput(name as ProcedureName)).error).toBeUndefined()
  })

  it('holds the fields given', () => {
    expect(validInput('teams.create', { name: 'Atlas Lions' }).name).toBe('Atlas Lions')
  })

  it('is rejected for a procedure that takes none', () => {
    expect(() => validInput('roles.list')).toThrow('roles.list takes no input')
  })
})
