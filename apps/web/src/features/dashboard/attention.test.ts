import { describe, expect, it } from 'vitest'
import { member, team } from '../../../test/people.ts'
import { challenge, inDays, submission } from '../../../test/work.ts'
import { needsAttention } from './attention.ts'

const me = '00000000-0000-4000-8000-000000000001'
const mine = team(1, 'Atlas', { ownerId: me, members: [member(1, { userId: me, isChef: true })] })
const now = new Date(inDays(0))
const known = { userId: me, teams: [mine], applications: [], challenges: [], now }

describe('what needs attention', () => {
  it('is a near deadline of a challenge no own team entered, the nearest first', () => {
    const challenges = [
      challenge(1, { deadline: inDays(2.5) }),
      challenge(2, { deadline: inDays(0.5) }),
      challenge(3, { deadline: inDays(9) }),
      challenge(4, { deadline: inDays(1) }),
    ]
    const entered = submission(1, { challengeId: { id: challenges[3]?.id ?? '', _id: '', title: 'x', points: 1 } })
    const found = needsAttention({ ...known, challenges, applications: [entered] })
    expect(found.map((one) => one.kind === 'deadline' && [one.id, one.days])).toEqual([
      [challenges[1]?.id, 1],
      [challenges[0]?.id, 3],
    ])
  })

  it('is no deadline for who leads no active team', () => {
    const challenges = [challenge(1, { deadline: inDays(1) })]
    for (const teams of [[], [{ ...mine, isActive: false }], [{ ...mine, ownerId: 'other' }]])
      expect(needsAttention({ ...known, teams, challenges })).toEqual([])
  })

  it('counts a challenge whose work was rejected as not entered', () => {
    const challenges = [challenge(1, { deadline: inDays(1) })]
    const applications = [submission(1, { status: 'rejected', evaluatedAt: inDays(-30) })]
    expect(needsAttention({ ...known, challenges, applications })).toHaveLength(1)
  })

  it('is a verdict of the last seven days, the newest first, five things in all', () => {
    const applications = [-1, -8, -3, -2, -4, -5, -6].map((days, index) =>
      submission(index, { status: 'approved', evaluatedAt: inDays(days) }),
    )
    const found = needsAttention({ ...known, applications })
    expect(found.map((one) => one.kind === 'verdict' && one.submission.evaluatedAt)).toEqual(
      [-1, -2, -3, -4, -5].map(inDays),
    )
  })
})
