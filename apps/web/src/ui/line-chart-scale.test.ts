import { describe, expect, it } from 'vitest'
import { roundTicks, preventOverlap, stepPath, valueAt } from './line-chart-scale.ts'

describe('the scale of a chart', () => {
  it.each([
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
    [120, [0, 50, 100, 150]],
    [500, [0, 200, 400, 600]],
    [1240, [0, 500, 1000, 1500]],
    [1, [0, 1]],
  ])('has round ticks up to %i', (most, ticks) => {
    expect(roundTicks(most)).toEqual(ticks)
  })

  it.each([7, 99, 1001, 123_456])('covers %i with five ticks at most', (most) => {
    const ticks = roundTicks(most)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
    expect(ticks.at(-2)).toBeLessThan(most)
    expect(ticks.length).toBeLessThanOrEqual(5)
  })
})

describe('labels beside the ends of lines', () => {
  it('stay at the ends of their lines if there is room', () => {
    expect(preventOverlap([100, 20, 60], 20, 200)).toEqual([100, 20, 60])
  })

  it('move apart in the order of the lines, and stay within the height', () => {
    expect(preventOverlap([50, 50, 50], 20, 200)).toEqual([50, 70, 90])
    expect(preventOverlap([200, 195], 20, 200)).toEqual([190, 170])
    expect(preventOverlap([0, 0], 20, 200)).toEqual([10, 30])
  })
})

describe('a line of steps', () => {
  const steps = [
    { at: 2, value: 10 },
    { at: 5, value: 30 },
  ]

  it('holds its value until the next step', () => {
    expect([1, 2, 4, 5, 9].map((at) => valueAt(steps, at))).toEqual([0, 10, 10, 30, 30])
    expect(valueAt([], 3)).toBe(0)
  })

  it('rises at each step and continues to the end', () => {
    const scale = { x: (at: number) => at * 10, y: (value: number) => 100 - value, end: 8 }
    expect(stepPath(steps, scale)).toBe('M20 100H20V90H50V70H80')
    expect(stepPath([], scale)).toBe('')
  })
})
