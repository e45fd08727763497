import type { Submission } from '@community/contract'
import { aSubmission, inDays } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { hideSuperseded } from './hide-superseded.ts'

/** Submitted and evaluated on days from today. */
const work = (
  number: number,
  status: Submission['status'],
  [submitted, evaluated]: [submitted: number, evaluated?: number],
  overrides: Partial<Submission> = {},
) =>
  aSubmission(number, {
    status,
    createdAt: inDays(submitted),
    updatedAt: inDays(evaluated ?? submitted),
    evaluatedAt: evaluated === undefined ? null : inDays(evaluated),
    ...overrides,
  })

describe('hideSuperseded', () => {
  it('hides a rejection after which the team submitted again', () => {
    const rejected = work(1, 'rejected', [-9, -8])
    for (const newer of [work(2, 'pending', [-7]), work(2, 'approved', [-7, -6])])
      expect(hideSuperseded([newer, rejected])).toEqual([newer])
  })

  it('keeps a rejection while another submission, made before it, waits or is approved', () => {
    const rejected = work(1, 'rejected', [-9, -5])
    for (const other of [work(2, 'pending', [-7]), work(2, 'approved', [-7, -4])])
      expect(hideSuperseded([other, rejected])).toEqual([other, rejected])
  })

  it('keeps only the last rejection, also if it is of the older submission', () => {
    const [older, newer] = [work(1, 'rejected', [-9, -5]), work(2, 'rejected', [-7, -6])]
    expect(hideSuperseded([newer, older])).toEqual([older])
    const again = work(3, 'rejected', [-4, -3])
    expect(hideSuperseded([again, newer, older])).toEqual([again])
  })

  it('hides a rejection after which an older submission was resubmitted', () => {
    const rejected = work(2, 'rejected', [-7, -6])
    for (const again of [work(1, 'pending', [-9]), work(1, 'approved', [-9, -2])]) {
      const resubmitted = { ...again, resubmittedAt: inDays(-3) }
      expect(hideSuperseded([rejected, resubmitted])).toEqual([resubmitted])
    }
  })

  it('keeps a rejection while an earlier submission is changed otherwise, as by its preview', () => {
    const waiting = work(1, 'pending', [-9], { updatedAt: inDays(-3) })
    expect(hideSuperseded([waiting, work(2, 'rejected', [-7, -6])])).toHaveLength(2)
  })

  it('keeps submissions that are not rejected', () => {
    const works = [work(3, 'rejected', [-3, -2]), work(2, 'approved', [-6, -5]), work(1, 'pending', [-9])]
    expect(hideSuperseded(works)).toEqual(works)
  })

  it('keeps rejections of other teams and challenges', () => {
    const newer = work(1, 'pending', [-1])
    const other = work(2, 'rejected', [-9, -8], { teamId: { id: 't2', _id: 't2', name: 'Code Fassi' } })
    const elsewhere = work(3, 'rejected', [-9, -8], {
      challengeId: { id: 'c2', _id: 'c2', title: 'Challenge 2', points: 1 },
    })
    expect(hideSuperseded([newer, other, elsewhere])).toEqual([newer, other, elsewhere])
  })
})
