import type { Submission } from '@community/contract'
import { aChallenge, aMember, aSubmission, aTeam, inDays } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { findAttention } from './attention.ts'
import { verdictId } from './read-verdicts.ts'

const me = '00000000-0000-4000-8000-000000000001'
const mine = aTeam(1, 'Atlas', { members: [aMember(1, { isChef: true }), aMember(2, { userId: me })] })
const now = new Date(inDays(0))
const known = { teams: [mine], submissions: [], challenges: [], read: new Set<string>(), now }
const workFor = (id: string | undefined, own: Partial<Submission> = {}) =>
  aSubmission(1, { challengeId: { id: id ?? '', _id: '', title: 'x', points: 1 }, ...own })

describe('what needs attention', () => {
  it('is a near deadline of a challenge no own team entered, the nearest first', () => {
    const challenges = [
      aChallenge(1, { deadline: inDays(2.5) }),
      aChallenge(2, { deadline: inDays(0.5) }),
      aChallenge(3, { deadline: inDays(9) }),
      aChallenge(4, { deadline: inDays(1) }),
      aChallenge(5, { deadline: inDays(-1) }),
    ]
    const found = findAttention({ ...known, challenges, submissions: [workFor(challenges[3]?.id)] })
    expect(found.map(({ id }) => id)).toEqual([challenges[1]?.id, challenges[0]?.id])
  })

  it('is no deadline for who is in no active team', () => {
    const challenges = [aChallenge(1, { deadline: inDays(1) })]
    for (const teams of [[], [{ ...mine, isActive: false }]])
      expect(findAttention({ ...known, teams, challenges })).toEqual([])
  })

  it('counts a challenge whose work was rejected as not entered, unless newer work stands', () => {
    const challenges = [aChallenge(1, { deadline: inDays(1) })]
    const rejected = workFor(challenges[0]?.id, { status: 'rejected', evaluatedAt: inDays(-30) })
    expect(findAttention({ ...known, challenges, submissions: [rejected] })).toMatchObject([{ isAgain: true }])
    expect(findAttention({ ...known, challenges })).toMatchObject([{ isAgain: false }])
    const submissions = [workFor(challenges[0]?.id), rejected]
    expect(findAttention({ ...known, challenges, submissions })).toEqual([])
  })

  it('is an unread verdict of the last seven days, the newest first, after the deadlines', () => {
    const judged = [-1, -8, -3, -2].map((days, index) =>
      aSubmission(index, { status: 'approved', evaluatedAt: inDays(days) }),
    )
    const challenges = [aChallenge(9, { deadline: inDays(1) })]
    const read = new Set(judged.slice(3).map(verdictId))
    const found = findAttention({ ...known, challenges, submissions: judged, read })
    expect(found.map((one) => (one.kind === 'verdict' ? one.submission.evaluatedAt : one.id))).toEqual([
      challenges[0]?.id,
      inDays(-1),
      inDays(-3),
    ])
  })

  it('is no rejection that newer work of the same team for that challenge has followed', () => {
    const rejected = (number: number, days: number, own: Partial<Submission> = {}) =>
      aSubmission(number, { status: 'rejected', createdAt: inDays(days), evaluatedAt: inDays(days), ...own })
    const challengeId = { id: 'c', _id: 'c', title: 'x', points: 1 }
    const [newest, older] = [rejected(1, -1, { challengeId }), rejected(2, -2, { challengeId })]
    const other = rejected(3, -3, { challengeId: { ...challengeId, id: 'd', _id: 'd' } })
    const another = rejected(4, -4, { challengeId, teamId: { id: 't', _id: 't', name: 'Others' } })
    const found = findAttention({ ...known, submissions: [newest, older, other, another] })
    expect(found.map((one) => one.kind === 'verdict' && one.submission.id)).toEqual([newest.id, other.id, another.id])
    const again = { ...newest, status: 'pending' as const, evaluatedAt: null }
    expect(findAttention({ ...known, submissions: [again, older] })).toEqual([])
  })

  it('is news again once the same work is judged anew', () => {
    const before = aSubmission(1, { status: 'rejected', evaluatedAt: inDays(-3) })
    const after = { ...before, status: 'approved' as const, evaluatedAt: inDays(-1) }
    const read = new Set([verdictId(before)])
    expect(findAttention({ ...known, submissions: [before], read })).toEqual([])
    expect(findAttention({ ...known, submissions: [after], read })).toHaveLength(1)
  })
})
