import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  adminsReactivate,
  lastMember,
  memberMissing,
  newOwnerMissing,
  newOwnerRequired,
  teamEmpty,
  teamSmallerThanMembers,
} from '../error-catalogue.ts'
import { resolveNextChef, oldestMember, warningLevel, whyCannotJoin, whyCannotUpdateTeam } from './rules.ts'

const team = { isActive: true, memberCount: 2, maxMembers: 5, rolesNeeded: [{ id: 'r1' }] }
const member = { role: 'member', isMember: false }

describe('whyCannotJoin', () => {
  it.each([
    ['a visitor', team, null, 'r1', 'NOT_SIGNED_IN', 'Please sign in to join a team'],
    [
      'an admin',
      team,
      { role: 'admin', isMember: false },
      'r1',
      'ADMINS_CANNOT_JOIN',
      'Administrators cannot join teams',
    ],
    [
      'a member of the team',
      team,
      { role: 'member', isMember: true },
      'r1',
      'ALREADY_MEMBER',
      'You are already a member of this team',
    ],
    [
      'anyone if the team is inactive',
      { ...team, isActive: false },
      member,
      'r1',
      'TEAM_INACTIVE',
      'This team is not active',
    ],
    [
      'anyone if the team is full',
      { ...team, memberCount: 5 },
      member,
      'r1',
      'TEAM_FULL',
      'This team is full (5/5 members)',
    ],
    ['a role that is not needed', team, member, 'r2', 'ROLE_NOT_NEEDED', 'Please select a valid role'],
  ])('rejects %s', (_case, joinable, joiner, role, code, message) => {
    expect(whyCannotJoin(joinable, joiner, role)).toMatchObject({ code, message })
  })
  it('accepts a signed-in user with a needed role or none chosen yet', () => {
    expect(whyCannotJoin(team, member, 'r1')).toBeNull()
    expect(whyCannotJoin(team, member)).toBeNull()
  })
})

describe('oldestMember', () => {
  it('is null for an empty team', () => expect(oldestMember([])).toBeNull())
  it('is the earliest to join, then the lower id, in any order', () => {
    const members = fc.array(fc.record({ userId: fc.uuid(), joinedAt: fc.date({ noInvalidDate: true }) }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(members, (list) => {
        const chef = oldestMember(list)
        expect(chef).toEqual(oldestMember(list.toReversed()))
        for (const other of list) {
          expect(chef && chef.joinedAt <= other.joinedAt).toBe(true)
          if (chef && +chef.joinedAt === +other.joinedAt) expect(chef.userId <= other.userId).toBe(true)
        }
      }),
    )
  })
})

describe('warningLevel', () => {
  it.each([
    [0, false, 'none'],
    [1, false, 'yellow-1'],
    [2, false, 'yellow-2'],
    [7, false, 'yellow-2'],
    [0, true, 'banned'],
    [2, true, 'banned'],
  ])('for %i warnings and isBanned %s is %s', (count, isBanned, level) =>
    expect(warningLevel(count, isBanned)).toBe(level),
  )
})

describe('resolveNextChef', () => {
  const membership = (userId: string, at: number, isChef = false) => ({ userId, isChef, joinedAt: new Date(at) })
  const fourMembers = [membership('a', 1, true), membership('b', 4), membership('c', 2), membership('d', 3)]
  const noChoice = { autoAssign: false }

  it('keeps the chef when a member leaves', () => expect(resolveNextChef(fourMembers, 'b', noChoice)).toEqual({}))
  it('rejects removing somebody who is not a member', () =>
    expect(resolveNextChef(fourMembers, 'x', noChoice)).toEqual({ error: memberMissing }))
  it('rejects removing the only member', () =>
    expect(resolveNextChef([membership('a', 1, true)], 'a', { autoAssign: true })).toEqual({ error: lastMember }))
  it('makes the other of two members the chef', () =>
    expect(resolveNextChef(fourMembers.slice(0, 2), 'a', noChoice)).toEqual({ userId: 'b' }))
  it('requires a choice among several members', () =>
    expect(resolveNextChef(fourMembers, 'a', noChoice)).toEqual({ error: newOwnerRequired }))
  it('takes the longest-standing member with autoAssign', () =>
    expect(resolveNextChef(fourMembers, 'a', { autoAssign: true })).toEqual({ userId: 'c' }))
  it('prefers the named member over autoAssign', () =>
    expect(resolveNextChef(fourMembers, 'a', { newOwnerId: 'd', autoAssign: true })).toEqual({ userId: 'd' }))
  it.each(['a', 'x'])('rejects %s as the next chef', (newOwnerId) =>
    expect(resolveNextChef(fourMembers, 'a', { ...noChoice, newOwnerId })).toEqual({ error: newOwnerMissing }),
  )
})

describe('whyCannotUpdateTeam', () => {
  const team = { isActive: false, memberCount: 3 }
  it.each([
    [team, {}, 'member', null],
    [team, { maxMembers: 3 }, 'member', null],
    [team, { maxMembers: 2 }, 'admin', teamSmallerThanMembers],
    [team, { isActive: true }, 'member', adminsReactivate],
    [team, { isActive: true }, 'admin', null],
    [{ isActive: false, memberCount: 0 }, { isActive: true }, 'admin', teamEmpty],
    [{ isActive: true, memberCount: 3 }, { isActive: true }, 'member', null],
    [{ isActive: true, memberCount: 3 }, { isActive: false }, 'member', null],
  ])('checks the change of %j by %j as %s', (before, change, role, error) =>
    expect(whyCannotUpdateTeam(before, change, { role })).toBe(error),
  )
})
