import { ROLE_CATEGORIES } from '@community/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { openFixture } from '../../test/fixture.ts'

const fixture = await openFixture()
afterAll(() => fixture.close())

describe('listRoles', () => {
  it('returns the 29 roles of the specification in order to everyone', async () => {
    const { roles } = (await fixture.as(null).roles()).data
    expect(roles).toHaveLength(29)
    expect(roles[0]).toMatchObject({ name: 'Frontend Developer', category: 'Development' })
    expect(roles.at(-1)).toMatchObject({ name: 'Scrum Master', category: 'Management' })
    expect([...new Set(roles.map(({ category }) => category))]).toEqual([...ROLE_CATEGORIES])
    for (const role of roles) {
      expect(role._id).toBe(role.id)
      expect(role.emoji).not.toBe('')
      expect(role.requirements.length).toBeGreaterThan(0)
    }
  })
})
