import { describe, expect, it } from 'vitest'
import { contract, type Domain, issuesByField, messageOfIssue, ProfileForm, truncateUnknownKeys } from './index.ts'

const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'

/** The issues of an input; `procedure` is its name, such as `teams.join`. */
function issuesOf(procedure: string, input: object) {
  const [domain, name] = procedure.split('.') as [keyof typeof contract, string]
  const { input: schema } = (contract[domain] as Domain)[name] ?? {}
  return issuesByField(schema?.safeParse(input).error?.issues ?? [])
}

/** The messages of an input's issues for one field, such as `role.id`. */
function messagesFor(procedure: string, input: object, field: string): string[] {
  return issuesOf(procedure, input)
    .filter(({ path }) => path.join('.') === field)
    .map(({ message }) => message)
}

it.each([' ', '0412345678', '0'.repeat(40)])('the profile form explains the phone format: %j', (phone) => {
  const empty = Object.fromEntries(Object.keys(ProfileForm.shape).map((name) => [name, '']))
  const form = { ...empty, name: 'Sara', language: 'en', phone }
  expect(ProfileForm.safeParse(form).error?.issues.map(({ message }) => message)).toEqual([
    'Phone number must be in format 0612345678 or +212612345678',
  ])
})

describe('a field’s own message', () => {
  it.each<[procedure: string, input: object, field: string, message: string]>([
    ['teams.join', {}, 'role', 'Please select a valid role'],
    ['teams.join', { role: 'Frontend' }, 'role', 'Please select a valid role'],
    ['teams.join', { role: { id: 'Frontend' } }, 'role.id', 'Please select a valid role'],
    ['teams.join', { role: { id: ID, members: 1 } }, 'role', 'Unknown field: members'],
    ['teams.create', { rolesNeeded: [ID, { id: 'Frontend' }] }, 'rolesNeeded.1.id', 'Please select a valid role'],
    ['teams.join', { email: 'a?b@example.ma' }, 'email', 'Email addresses with ?, & or % are not accepted'],
    [
      'teams.create',
      { userInfo: { email: 'prof?bcc=spy%40evil.example&x=@a.example' } },
      'userInfo.email',
      'Email addresses with ?, & or % are not accepted',
    ],
    ['auth.register', { email: 'a%b@example.ma' }, 'email', 'Email addresses with ?, & or % are not accepted'],
    ['teams.join', { experience: 'Guru' }, 'experience', 'Please select a valid experience level'],
    ['teams.create', { rolesNeeded: [] }, 'rolesNeeded', 'Please select at least one role'],
    ['teams.create', { maxMembers: 12 }, 'maxMembers', 'Not a valid team size'],
    ['teams.create', { experience: ['Expert'] }, 'experience', 'Please select a valid experience level'],
    ['teams.create', {}, 'experience', 'Please select team experience level'],
    ['teams.create', { name: ' ' }, 'name', 'Please enter team name'],
    ['teams.create', { description: '' }, 'description', 'Please enter team description'],
    ['teams.create', { userInfo: {} }, 'userInfo.firstName', 'Please enter your full name'],
    ['teams.create', { userInfo: {} }, 'userInfo.email', 'Please enter your email'],
    ['teams.create', { userInfo: { email: ' ' } }, 'userInfo.email', 'Please enter your email'],
    ['teams.create', { userInfo: { email: 'sara' } }, 'userInfo.email', 'Please enter a valid email address'],
    ['teams.create', { userInfo: {} }, 'userInfo.phone', 'Please enter your phone number'],
    ['teams.create', { userInfo: { phone: '' } }, 'userInfo.phone', 'Please enter your phone number'],
    ['teams.create', { userInfo: {} }, 'userInfo.personalExperience', 'Please select your experience level'],
    ['teams.join', { experience: '' }, 'experience', 'Please select your experience level'],
    ['admin.createChallenge', {}, 'requirements', 'At least one requirement is needed'],
    ['admin.createChallenge', { requirements: 'Works' }, 'requirements', 'At least one requirement is needed'],
    ['admin.createChallenge', { requirements: [' '] }, 'requirements', 'At least one requirement is needed'],
    ['admin.updateChallenge', { requirements: [] }, 'requirements', 'At least one requirement is required'],
    [
      'users.updateProfile',
      { github: ['https://github.com/x'] },
      'github',
      'Please enter a valid link (http or https)',
    ],
    [
      'users.updateProfile',
      { phone: 612345678 },
      'phone',
      'Phone number must be in format 0612345678 or +212612345678',
    ],
    [
      'admin.createChallenge',
      { requirements: Array.from({ length: 51 }, () => 'x') },
      'requirements',
      'At most 50 entries',
    ],
    ['challenges.list', { minPoints: 1001 }, 'minPoints', 'Points must be between 0 and 1000'],
    ['challenges.list', { maxPoints: 'x' }, 'maxPoints', 'Points must be a whole number'],
    ['webhooks.create', { url: 'hooks.example' }, 'url', 'Use a public https URL'],
    ['auth.refresh', { refreshToken: 'not one' }, 'refreshToken', 'Not a valid refresh token'],
    ['teams.list', { page: 0 }, 'page', 'page must be at least 1'],
    ['teams.list', { limit: 101 }, 'limit', 'limit must be at most 100'],
    ['teams.leaderboard', { limit: 1.5 }, 'limit', 'limit must be a whole number'],
    ['submissions.evaluate', { id: ID, status: 'approved' }, 'score', 'Please enter a valid score (1-100)'],
  ])('%s with %j', (procedure, input, field, message) =>
    expect(messagesFor(procedure, input, field)).toEqual([message]),
  )
})

describe('default messages', () => {
  it.each<[procedure: string, input: object, field: string, message: string]>([
    ['teams.create', {}, 'userInfo', 'This field is required'],
    ['teams.create', { userInfo: 'Sara' }, 'userInfo', 'Must be an object'],
    ['auth.refresh', {}, 'refreshToken', 'This field is required'],
    ['auth.refresh', { refreshToken: ['x'] }, 'refreshToken', 'Must be text'],
    ['teams.list', { sort: 'age' }, 'sort', 'Must be one of: name, members, points, challenges'],
    ['teams.list', { search: 'x'.repeat(101) }, 'search', 'Maximum 100 characters allowed'],
    ['teams.list', { includeInactive: 'yes' }, 'includeInactive', 'Must be true or false'],
    ['challenges.applyTo', { fileInfo: { fileSize: 10_485_761 } }, 'fileInfo.fileSize', 'Must be at most 10485760'],
    ['challenges.applyTo', { fileInfo: { fileSize: -1 } }, 'fileInfo.fileSize', 'Must be at least 0'],
    ['admin.createChallenge', { tags: 'web' }, 'tags', 'Must be a list'],
    ['admin.createChallenge', { tags: Array.from({ length: 21 }, () => 'x') }, 'tags', 'At most 20 entries'],
    ['auth.login', { role: 'admin', points: 1 }, '', 'Unknown field: role, Unknown field: points'],
  ])('%s with %j', (procedure, input, field, message) =>
    expect(messagesFor(procedure, input, field)).toEqual([message]),
  )

  it.each<[procedure: string, input: object, template: string | undefined, params: object | undefined]>([
    ['teams.list', { search: 'x'.repeat(101) }, 'Maximum {n} characters allowed', { n: 100 }],
    ['teams.list', { sort: 'age' }, 'Must be one of: {values}', { values: 'name, members, points, challenges' }],
    ['teams.list', { limit: 101 }, 'limit must be at most {n}', { n: 100 }],
    ['auth.register', { name: 'x' }, 'Name must be at least {n} characters', { n: 2 }],
    ['challenges.list', { minPoints: 1001 }, 'Points must be between {min} and {max}', { min: 0, max: 1000 }],
    ['auth.refresh', {}, undefined, undefined],
  ])('for %s with %j have the template %s', (procedure, input, template, params) => {
    const [issue] = issuesOf(procedure, input)
    expect(issue && messageOfIssue(issue)).toEqual({ message: issue?.message, template, params })
  })

  it('name at most 20 unknown fields, of at most 64 characters', () => {
    const keys = truncateUnknownKeys(Array.from({ length: 5000 }, (_, index) => `${index}${'x'.repeat(100)}`))
    expect(keys).toHaveLength(20)
    expect(Math.max(...keys.map((key) => key.length))).toBe(64)
  })
})
