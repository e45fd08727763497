import type { Submission, Team } from '@community/contract'
import { aChallenge, aSubmission, aTeam, inDays } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { haveAllApplied, eligibilitiesOf, whyNobodyCanApply } from './eligibility.ts'

const now = new Date('2026-11-21T10:00:00Z')
const challenge = aChallenge(1, { id: 'c1', deadline: '2026-11-25T10:00:00Z', maxSubmissions: 1 })
const team = (id: string, ownerId: string, isActive = true) => aTeam(1, id, { id, ownerId, isActive })
const application = (teamId: string, status: Submission['status'], challengeId = 'c1') => {
  const base = aSubmission(1)
  return aSubmission(1, {
    teamId: { ...base.teamId, id: teamId },
    challengeId: { ...base.challengeId, id: challengeId },
    status,
  })
}

const eligibilities = (teams: Team[], applications: Submission[] = [], target = challenge) =>
  eligibilitiesOf(target, { userId: 'me', teams, applications }, now)

describe('eligibilitiesOf', () => {
  it('counts the pending and approved submissions of this team for this challenge', () => {
    const [eligibility] = eligibilities(
      [team('t1', 'me')],
      [
        application('t1', 'pending'),
        application('t1', 'approved'),
        application('t1', 'rejected'),
        application('t1', 'pending', 'c2'),
        application('t2', 'pending'),
      ],
    )
    expect(eligibility).toMatchObject({ isChef: true, usedSlots: 2, reason: { code: 'ALREADY_APPLIED' } })
  })

  it('returns the last rejection, unless the team has submitted again since', () => {
    const rejectedOf = (...applications: Submission[]) => eligibilities([team('t1', 'me')], applications)[0]?.rejected
    const rejected = { ...application('t1', 'rejected'), createdAt: inDays(-9), evaluatedAt: inDays(-5) }
    const waitingSince = (days: number) => ({
      ...application('t1', 'pending'),
      createdAt: inDays(-9),
      resubmittedAt: inDays(days),
    })
    expect(rejectedOf(waitingSince(-7), rejected)).toBe(rejected)
    expect(rejectedOf({ ...rejected, evaluatedAt: inDays(-6) }, rejected)).toBe(rejected)
    expect(rejectedOf(waitingSince(-3), rejected)).toBeNull()
    expect(rejectedOf()).toBeNull()
  })

  it('lets a team apply again while it has submissions left', () => {
    const twice = { ...challenge, maxSubmissions: 2 }
    expect(eligibilities([team('t1', 'me')], [application('t1', 'pending')], twice)[0]?.reason).toBeNull()
  })
})

describe('whyNobodyCanApply', () => {
  it('requires a team that the user is chef of', () => {
    expect(whyNobodyCanApply(eligibilities([]))?.code).toBe('CHEF_REQUIRED')
    expect(whyNobodyCanApply(eligibilities([team('t1', 'other')]))?.code).toBe('CHEF_REQUIRED')
  })

  it('reports that a team the user is only a member of has applied', () => {
    expect(whyNobodyCanApply(eligibilities([team('t1', 'other')], [application('t1', 'pending')]))?.code).toBe(
      'ALREADY_APPLIED',
    )
  })

  it('reports that every team the user is chef of has applied', () => {
    const all = eligibilities([team('t1', 'me'), team('t2', 'other')], [application('t1', 'approved')])
    expect(whyNobodyCanApply(all)?.code).toBe('ALREADY_APPLIED')
    expect(haveAllApplied(all)).toBe(true)
  })

  it('reports that the user’s team is inactive', () => {
    expect(whyNobodyCanApply(eligibilities([team('t1', 'me', false)]))?.code).toBe('TEAM_INACTIVE')
  })

  it('is null if one of several teams can apply', () => {
    const all = eligibilities([team('t1', 'me'), team('t2', 'me')], [application('t1', 'pending')])
    expect(whyNobodyCanApply(all)).toBeNull()
    expect(haveAllApplied(all)).toBe(false)
  })

  it('is null after a rejection', () => {
    expect(whyNobodyCanApply(eligibilities([team('t1', 'me')], [application('t1', 'rejected')]))).toBeNull()
  })
})
