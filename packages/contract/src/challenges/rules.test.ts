import { describe, expect, it } from 'vitest'
import { daysLeft, deadlineState, isDeadlineFarEnough, isOpen, whyCannotApply } from './rules.ts'

const now = new Date('2026-11-21T10:00:00Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
const DAY = 86_400

describe('deadlines', () => {
  it.each([
    [-1, 0, 'expired'],
    [0, 0, 'expired'],
    [1, 1, 'approaching'],
    [DAY, 1, 'approaching'],
    [DAY + 1, 2, 'approaching'],
    [3 * DAY, 3, 'approaching'],
    [3 * DAY + 1, 4, 'open'],
  ])('%i seconds ahead: %i days left, %s', (seconds, days, state) => {
    expect(daysLeft(after(seconds), now)).toBe(days)
    expect(deadlineState(after(seconds), now)).toBe(state)
  })
  it('close the challenge at the exact instant', () => {
    expect(isOpen({ isActive: true, deadline: after(1) }, now)).toBe(true)
    expect(isOpen({ isActive: true, deadline: after(0) }, now)).toBe(false)
    expect(isOpen({ isActive: false, deadline: after(1) }, now)).toBe(false)
  })
  it('must be at least two minutes ahead when set', () => {
    expect(isDeadlineFarEnough(after(119), now)).toBe(false)
    expect(isDeadlineFarEnough(after(120), now)).toBe(true)
  })
})

describe('whyCannotApply', () => {
  const challenge = { isActive: true, deadline: after(60), maxSubmissions: 2 }
  const chef = { canSubmit: true, isTeamActive: true, usedSlots: 1 }
  it('accepts the chef of an active team with a free slot', () =>
    expect(whyCannotApply(challenge, chef, now)).toBeNull())
  it.each([
    ['a visitor', challenge, null, 'NOT_SIGNED_IN'],
    ['a member who is not chef', challenge, { ...chef, canSubmit: false }, 'CHEF_REQUIRED'],
    ['an inactive challenge', { ...challenge, isActive: false }, chef, 'CHALLENGE_INACTIVE'],
    ['an expired challenge', { ...challenge, deadline: after(0) }, chef, 'CHALLENGE_EXPIRED'],
    ['an inactive team', challenge, { ...chef, isTeamActive: false }, 'TEAM_INACTIVE'],
    ['a team without a free slot', challenge, { ...chef, usedSlots: 2 }, 'ALREADY_APPLIED'],
  ])('rejects %s', (_case, state, applicant, code) => expect(whyCannotApply(state, applicant, now)?.code).toBe(code))
})
