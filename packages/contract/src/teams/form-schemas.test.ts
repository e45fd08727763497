import { describe, expect, it } from 'vitest'
import { CreateTeamForm, JoinTeamForm } from './form-schemas.ts'

const messages = (result: { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }) =>
  Object.fromEntries(result.error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [])

const emptyJoin = { name: ' ', email: '', phone: '', experience: '', role: { id: '' } }
const emptyTeam = {
  name: '',
  description: '',
  experience: '',
  maxMembers: 5,
  rolesNeeded: [],
  userInfo: { firstName: '', email: '', phone: '', personalExperience: '', role: { id: '' } },
}

describe('JoinTeamForm', () => {
  it('reports each missing field with its own message', () => {
    expect(messages(JoinTeamForm.safeParse(emptyJoin))).toEqual({
      name: 'Please enter your full name',
      email: 'Please enter your email',
      phone: 'Please enter your phone number',
      experience: 'Please select your experience level',
      'role.id': 'Please select a valid role',
    })
  })

  it('accepts a phone number with spaces and empty links', () => {
    const parsed = JoinTeamForm.parse({
      name: 'Sara El Amrani',
      email: 'Sara@Example.ma',
      phone: '+212 612 345 678',
      experience: 'Advanced',
      role: { id: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' },
      github: '',
    })
    expect(parsed).toMatchObject({ email: 'sara@example.ma', phone: '+212612345678', github: undefined })
  })

  it('explains the format for a phone number that is not Moroccan', () => {
    const { phone } = messages(JoinTeamForm.safeParse({ ...emptyJoin, phone: '0412345678' }))
    expect(phone).toBe('Phone number must be in format 0612345678 or +212612345678')
  })
})

describe('CreateTeamForm', () => {
  it('reports the missing fields of each step', () => {
    expect(messages(CreateTeamForm.safeParse(emptyTeam))).toMatchObject({
      'userInfo.firstName': 'Please enter your full name',
      'userInfo.email': 'Please enter your email',
      'userInfo.phone': 'Please enter your phone number',
      'userInfo.personalExperience': 'Please select your experience level',
      experience: 'Please select team experience level',
      rolesNeeded: 'Please select at least one role',
    })
  })

  it('limits the lengths of name and description', () => {
    const long = { ...emptyTeam, name: 'ab', description: 'x'.repeat(1001) }
    expect(messages(CreateTeamForm.safeParse(long))).toMatchObject({
      name: 'Team name must be at least 3 characters',
      description: 'Description cannot exceed 1000 characters',
    })
  })
})
