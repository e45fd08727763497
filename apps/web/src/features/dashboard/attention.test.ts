import type { Submission } from '@community/contract'
import { aChallenge, aMember, aSubmission, aTeam, inDays } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { findAttention } from './attention.ts'
import { verdictId } from './read-verdicts.ts'

const me = '00000000-0000-4000-8000-000000000001'
const mine = aTeam(1, 'Atlas', { members: [aMember(1, { isChef: true }), aMember(2, { userId: me })] })
const now = new Date(inDays(0))
const input = { teams: [mine], submissions: [], challenges: [], read: new Set<string>(), now }
const submissionFor = (id: string | undefined, overrides: Partial<Submission> = {}) =>
  aSubmission(1, { challengeId: { id: id ?? '', _id: '', title: 'x', points: 1 }, ...overrides })

describe('what needs attention', () => {
  it('lists near deadlines of challenges that no own team has entered, the nearest first', () => {
    const challenges = [
      aChallenge(1, { deadline: inDays(2.5) }),
      aChallenge(2, { deadline: inDays(0.5) }),
      aChallenge(3, { deadline: inDays(9) }),
      aChallenge(4, { deadline: inDays(1) }),
      aChallenge(5, { deadline: inDays(-1) }),
    ]
    const items = findAttention({ ...input, challenges, submissions: [submissionFor(challenges[3]?.id)] })
    expect(items.map(({ id }) => id)).toEqual([challenges[1]?.id, challenges[0]?.id])
  })

  it('lists no deadlines for users without an active team', () => {
    const challenges = [aChallenge(1, { deadline: inDays(1) })]
    for (const teams of [[], [{ ...mine, isActive: false }]])
      expect(findAttention({ ...input, teams, challenges })).toEqual([])
  })

  it('lists a challenge again after a rejection, unless there is a newer submission', () => {
    const challenges = [aChallenge(1, { deadline: inDays(1) })]
    const rejected = submissionFor(challenges[0]?.id, { status: 'rejected', evaluatedAt: inDays(-30) })
    expect(findAttention({ ...input, challenges, submissions: [rejected] })).toMatchObject([{ wasRejected: true }])
    expect(findAttention({ ...input, challenges })).toMatchObject([{ wasRejected: false }])
    const submissions = [submissionFor(challenges[0]?.id), rejected]
    expect(findAttention({ ...input, challenges, submissions })).toEqual([])
  })

  it('lists unread verdicts of the last seven days before the deadlines, the newest first', () => {
    const judged = [-1, -8, -3, -2].map((days, index) =>
      aSubmission(index, { status: 'approved', evaluatedAt: inDays(days) }),
    )
    const challenges = [aChallenge(9, { deadline: inDays(1) })]
    const read = new Set(judged.slice(3).map(verdictId))
    const items = findAttention({ ...input, challenges, submissions: judged, read })
    expect(items.map((item) => (item.kind === 'verdict' ? item.submission.evaluatedAt : item.id))).toEqual([
      inDays(-1),
      inDays(-3),
      challenges[0]?.id,
    ])
  })

  it('omits rejections that the same team has followed up with a newer submission', () => {
    const rejected = (number: number, days: number, overrides: Partial<Submission> = {}) =>
      aSubmission(number, { status: 'rejected', createdAt: inDays(days), evaluatedAt: inDays(days), ...overrides })
    const challengeId = { id: 'c', _id: 'c', title: 'x', points: 1 }
    const [newest, older] = [rejected(1, -1, { challengeId }), rejected(2, -2, { challengeId })]
    const other = rejected(3, -3, { challengeId: { ...challengeId, id: 'd', _id: 'd' } })
    const another = rejected(4, -4, { challengeId, teamId: { id: 't', _id: 't', name: 'Others' } })
    const items = findAttention({ ...input, submissions: [newest, older, other, another] })
    expect(items.map((item) => item.kind === 'verdict' && item.submission.id)).toEqual([
      newest.id,
      other.id,
      another.id,
    ])
    const pending = { ...newest, status: 'pending' as const, updatedAt: newest.createdAt, evaluatedAt: null }
    expect(findAttention({ ...input, submissions: [pending, older] })).toEqual([])
  })

  it('lists a new verdict on the same submission pending', () => {
    const before = aSubmission(1, { status: 'rejected', evaluatedAt: inDays(-3) })
    const after = { ...before, status: 'approved' as const, evaluatedAt: inDays(-1) }
    const read = new Set([verdictId(before)])
    expect(findAttention({ ...input, submissions: [before], read })).toEqual([])
    expect(findAttention({ ...input, submissions: [after], read })).toHaveLength(1)
  })
})
