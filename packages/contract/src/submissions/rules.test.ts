import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gradeOf, pointsFor, standingOf, whyCannotEvaluate, whyCannotReset, whyCannotResubmit } from './rules.ts'

describe('pointsFor', () => {
  it.each([
    [100, 1, 1],
    [100, 100, 100],
    [50, 1, 1],
    [49, 1, 0],
    [150, 87, 131],
    [1, 50, 1],
    [1, 49, 0],
    [1000, 33, 330],
  ])('%i points at a score of %i earn %i', (points, score, earned) => expect(pointsFor(points, score)).toBe(earned))
  it('never earns more than the challenge has, and grows with the score', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 99 }), (points, score) => {
        expect(pointsFor(points, score)).toBeLessThanOrEqual(points)
        expect(pointsFor(points, score)).toBeLessThanOrEqual(pointsFor(points, score + 1))
      }),
    )
  })
})

describe('gradeOf', () => {
  it.each([
    [100, 'A'],
    [90, 'A'],
    [89, 'B'],
    [80, 'B'],
    [79, 'C'],
    [70, 'C'],
    [69, 'D'],
    [60, 'D'],
    [59, 'F'],
    [1, 'F'],
  ])('%i is %s', (score, grade) => expect(gradeOf(score)).toBe(grade))
})

describe('standingOf', () => {
  it('counts the best approved submission of each challenge once', () => {
    const submission = (challengeId: string, status: string, points: number | null) => ({ challengeId, status, points })
    expect(
      standingOf([
        submission('a', 'approved', 40),
        submission('a', 'approved', 70),
        submission('b', 'rejected', null),
        submission('c', 'approved', 0),
        submission('d', 'pending', null),
        submission('e', 'approved', null),
      ]),
    ).toEqual({ points: 70, challengesCompleted: 2 })
  })
})

describe('whyCannotEvaluate', () => {
  it('accepts only pending submissions of other teams', () => {
    expect(whyCannotEvaluate({ status: 'pending' }, { isOrWasInTeam: false })).toBeNull()
    expect(whyCannotEvaluate({ status: 'pending' }, { isOrWasInTeam: true })?.code).toBe('OWN_TEAM')
    expect(whyCannotEvaluate({ status: 'approved' }, { isOrWasInTeam: false })?.code).toBe('NOT_PENDING')
    expect(whyCannotEvaluate({ status: 'rejected' }, { isOrWasInTeam: false })?.code).toBe('NOT_PENDING')
  })
})

describe('whyCannotReset', () => {
  const [seen, later] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.001Z'] as const
  it.each([
    [null, false, undefined, 'NOT_EVALUATED'],
    [null, false, seen, 'NOT_EVALUATED'],
    [later, false, undefined, undefined],
    [seen, false, seen, undefined],
    [later, false, seen, 'EVALUATION_CHANGED'],
    [later, true, seen, 'OWN_TEAM'],
  ])('a verdict of %s, evaluator in the team: %s, expected: %s', (time, isOrWasInTeam, expected, code) => {
    const evaluatedAt = time === null ? null : new Date(time)
    expect(whyCannotReset({ evaluatedAt }, { isOrWasInTeam }, expected)?.code).toBe(code)
  })
})

describe('whyCannotResubmit', () => {
  it.each([
    ['rejected', { id: 'a', isChef: true }, undefined],
    ['rejected', { id: 's', isChef: false }, undefined],
    ['rejected', { id: 'b', isChef: false }, 'SUBMITTER_ONLY'],
    ['pending', { id: 's', isChef: true }, 'NOT_REJECTED'],
    ['approved', { id: 's', isChef: true }, 'NOT_REJECTED'],
  ])('a %s submission by %j', (status, member, code) =>
    expect(whyCannotResubmit({ status, submittedBy: 's' }, member)?.code).toBe(code),
  )
})
