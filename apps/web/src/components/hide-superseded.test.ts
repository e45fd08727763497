import { aSubmission } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { hideSuperseded } from './hide-superseded.ts'

const visibleStatuses = (...statuses: ('pending' | 'approved' | 'rejected')[]) =>
  hideSuperseded(statuses.map((status, index) => aSubmission(index, { status }))).map(({ status }) => status)

describe('hideSuperseded', () => {
  it('hides a rejected submission with a newer one of the same team and challenge', () => {
    expect(visibleStatuses('pending', 'rejected')).toEqual(['pending'])
    expect(visibleStatuses('rejected', 'rejected', 'rejected')).toEqual(['rejected'])
  })

  it('keeps submissions that are not rejected', () => {
    expect(visibleStatuses('rejected', 'approved', 'pending')).toEqual(['rejected', 'approved', 'pending'])
  })

  it('keeps rejected submissions of other teams and challenges', () => {
    const other = aSubmission(2, { status: 'rejected', teamId: { id: 't2', _id: 't2', name: 'Code Fassi' } })
    const elsewhere = aSubmission(3, {
      status: 'rejected',
      challengeId: { id: 'c2', _id: 'c2', title: 'Challenge 2', points: 1 },
    })
    expect(hideSuperseded([aSubmission(1), other, elsewhere])).toHaveLength(3)
  })
})
