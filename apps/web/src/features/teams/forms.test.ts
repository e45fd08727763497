import { contract, CreateTeamForm } from '@community/contract'
import { aRole, aUser, ROLES } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { roleSeed } from '../../../test/sources.ts'
import { activateLanguage, t } from '../../lib/i18n.ts'
import type { ClientFailure } from '../../lib/failure.ts'
import { initialForm, fillFromProfile, toCreateInput, STEP_FIELDS, stepOf } from './create-team-form.ts'
import { creationFailureText } from './creation-failure.ts'
import { isFiltered, NO_FILTERS, sortLabels, sortOf } from './filters.ts'
import { joinFailure, missingFields, missingText } from './join-failure.ts'
import { byCategory, FALLBACK_ROLES, withServerIds } from './roles.ts'
import { deleteDraft, saveDraft, loadDraft } from './team-draft.ts'

const serverFailure = (message: string, extra: Partial<ClientFailure> = {}): ClientFailure => ({
  kind: 'rejected',
  message,
  errors: [],
  ...extra,
})

describe('the orders of teams', () => {
  it('are eight, each parsed from its option', () => {
    const values = Object.keys(sortLabels(t))
    expect(values).toHaveLength(8)
    for (const value of values) {
      const { sort, order } = sortOf(value)
      expect(`${sort}-${order}`).toBe(value)
    }
    expect(sortOf('nonsense')).toEqual({ sort: 'name', order: 'asc' })
  })

  it('are not counted as filters', () => {
    expect(isFiltered({ ...NO_FILTERS, sort: 'points' })).toBe(false)
    expect(isFiltered({ ...NO_FILTERS, search: '  ' })).toBe(false)
    expect(isFiltered({ ...NO_FILTERS, role: 'x' })).toBe(true)
  })
})

describe('the built-in roles', () => {
  it('equal those that the database is seeded with', () => {
    const seeded = [...roleSeed().matchAll(/^ {2}\('([^']+)', '([^']+)', '.*?', '(\w+)', '\{/gm)]
    expect(seeded).toHaveLength(29)
    expect(FALLBACK_ROLES.map((role) => [role.name, role.emoji, role.category])).toEqual(
      seeded.map(([, name, emoji, category]) => [name, emoji, category]),
    )
  })

  it('get the server’s ids by their names before sending', () => {
    const chosen = [{ id: 'UX Designer', name: 'UX Designer' }, { id: 'Gone', name: 'Gone' }, ROLES[0]!]
    expect(withServerIds(chosen, ROLES).map(({ id }) => id)).toEqual([ROLES[1]?.id, 'Gone', ROLES[0]?.id])
  })

  it('are grouped without empty groups', () => {
    expect(byCategory([aRole(1, 'A', 'Design'), aRole(2, 'B')]).map((group) => group.category)).toEqual([
      'Development',
      'Design',
    ])
  })
})

describe('the join form', () => {
  const filled = { name: 'Sara', email: 'a@b.ma', phone: '0612345678', experience: 'Expert', role: { id: 'r' } }

  it('lists missing fields by their labels', () => {
    expect(missingFields(filled, t)).toEqual([])
    const labels = missingFields({ ...filled, phone: ' ', role: { id: '' } }, t)
    expect(missingText(labels, t)).toBe('Please fill in all required fields: Phone, Role')
  })

  it.each([
    [
      serverFailure('This team is full (5/5 members)', { code: 'TEAM_FULL' }),
      'Team Full',
      'This team is full (5/5 members)',
    ],
    [serverFailure('x', { code: 'NOT_SIGNED_IN' }), 'Authentication Required', 'Please sign in to join a team.'],
    [serverFailure('Bad phone', { code: 'VALIDATION' }), 'Validation Error', 'Bad phone'],
    [
      serverFailure('You are already a member of this team', { code: 'ALREADY_MEMBER' }),
      'Join Team Failed',
      'You are already a member of this team',
    ],
    [serverFailure('x', { code: 'INTERNAL' }), 'Join Team Failed', 'Failed to join team. Please try again.'],
    [
      { kind: 'format' as const, message: '<html>', errors: [] },
      'Join Team Failed',
      'Failed to join team. Please try again.',
    ],
  ])('shows the toast of %o', (failure, title, message) => {
    expect(joinFailure(failure, t)).toEqual({ title, message })
  })

  it('translates the error of a full team with its numbers', async () => {
    await activateLanguage('fr')
    const template = 'This team is full ({count}/{max} members)'
    const failure = serverFailure('This team is full (5/5 members)', {
      code: 'TEAM_FULL',
      template,
      params: { count: 5, max: 5 },
    })
    const { message } = joinFailure(failure, t)
    expect(message).toBe('Cette équipe est complète (5/5 membres)')
  })
})

describe('creationFailureText', () => {
  it.each([
    ['Validation failed', 'Validation Error: Validation failed'],
    ['This field is required', 'Validation Error: This field is required'],
    ['Please enter your phone number', 'Phone Error: Please enter your phone number'],
    ['Please enter a valid email address', 'Email Error: Please enter a valid email address'],
    ['A team with this name already exists', 'A team with this name already exists'],
    ['', 'Failed to create team'],
  ])('shows “%s” as “%s”', (message, text) => {
    expect(creationFailureText(serverFailure(message), t)).toBe(text)
  })

  it('does not show a response that is not the API’s', () => {
    expect(creationFailureText({ kind: 'format', message: '<html>', errors: [] }, t)).toBe('Failed to create team')
  })
})

describe('the wizard’s form', () => {
  const filled = {
    ...initialForm(aUser({ name: 'Sara El Amrani', phone: '0612345678', experience: 'Expert' })),
    name: 'Atlas Lions',
    description: 'We build small things.',
    experience: 'Advanced',
    rolesNeeded: ROLES.map(({ id, name, emoji }) => ({ id, name, emoji })),
  }

  it('knows the step of every field, including nested ones', () => {
    expect(STEP_FIELDS.flatMap((fields, step) => fields.filter((field) => stepOf(field) !== step))).toEqual([])
    expect(stepOf('rolesNeeded.0.id')).toBe(2)
  })

  it('converts to an input that the API accepts, with the name split in two and without an empty role', () => {
    const payload = toCreateInput(CreateTeamForm.parse(filled))
    expect(payload.userInfo).toMatchObject({ firstName: 'Sara', lastName: 'El Amrani', phone: '0612345678' })
    expect('role' in payload.userInfo).toBe(false)
    expect(contract.teams.create.input.safeParse(payload).error).toBeUndefined()
  })

  it('fills only the empty fields from the profile', () => {
    const typed = initialForm(null)
    typed.userInfo.email = 'other@example.ma'
    const { userInfo } = fillFromProfile(typed, aUser({ phone: '0612345678' }))
    expect(userInfo).toMatchObject({ email: 'other@example.ma', firstName: 'Sara El Amrani', phone: '0612345678' })
  })

  it('keeps a draft for its user, and a visitor’s draft for the user who signs in', () => {
    saveDraft({ userId: 'u1', step: 1, values: filled })
    expect(loadDraft('u1')?.step).toBe(1)
    expect(loadDraft('u2')).toBeNull()
    expect(loadDraft(null)).toBeNull()
    saveDraft({ userId: null, step: 2, values: filled })
    expect(loadDraft('u2')?.values.name).toBe('Atlas Lions')
    deleteDraft()
    expect(loadDraft('u2')).toBeNull()
  })

  it('deletes a draft that it cannot read', () => {
    sessionStorage.setItem('teamDraft', '{')
    expect(loadDraft(null)).toBeNull()
  })
})
