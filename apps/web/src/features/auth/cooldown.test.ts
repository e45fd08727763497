import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { endCooldown, secondsLeft, startCooldown, startCooldownOnce, useCooldownMinutes } from './cooldown.ts'
import { formatClock } from './expiry.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

const advance = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })

describe('the cooldown', () => {
  it('counts down in minutes, rounded up, from four', () => {
    startCooldown('login', 'count@example.ma')
    const { result } = renderHook(() => useCooldownMinutes('login', 'count@example.ma'))
    expect(result.current).toBe(4)
    advance(59_000)
    expect(result.current).toBe(4)
    advance(2000)
    expect(result.current).toBe(3)
    advance(180_000)
    expect(result.current).toBe(0)
  })

  it('uses the seconds that the server names', () => {
    startCooldown('login', 'named@example.ma', 61)
    const { result } = renderHook(() => useCooldownMinutes('login', 'named@example.ma'))
    expect(result.current).toBe(2)
  })

  it('shows a cooldown that starts while it is rendered', () => {
    const { result } = renderHook(() => useCooldownMinutes('login', 'late@example.ma'))
    expect(result.current).toBe(0)
    act(() => startCooldown('login', 'late@example.ma'))
    expect(result.current).toBe(4)
  })

  it('applies to one email address and purpose, and another request does not extend it', () => {
    startCooldown('register', 'Own@Example.ma')
    vi.advanceTimersByTime(100_000)
    startCooldownOnce('register', 'own@example.ma ')
    expect(secondsLeft('register', 'own@example.ma')).toBe(140)
    expect(secondsLeft('login', 'own@example.ma')).toBe(0)
  })

  it('continues after a reload, without restarting for a code that was not mailed', async () => {
    startCooldown('login', 'kept@example.ma')
    vi.advanceTimersByTime(100_000)
    vi.resetModules()
    const reloaded = await import('./cooldown.ts')
    reloaded.startCooldownOnce('login', 'kept@example.ma')
    expect(reloaded.secondsLeft('login', 'kept@example.ma')).toBe(140)
  })

  it('ends when the code has expired, and ignores values that are not numbers', () => {
    startCooldown('login', 'over@example.ma')
    const { result } = renderHook(() => useCooldownMinutes('login', 'over@example.ma'))
    act(() => endCooldown('login', 'over@example.ma'))
    expect(result.current).toBe(0)
    sessionStorage.setItem('resendAt login over@example.ma', 'soon')
    expect(secondsLeft('login', 'over@example.ma')).toBe(0)
  })
})

describe('asClock', () => {
  it('formats minutes and two digits of seconds', () => {
    expect([300, 247, 60, 9, 0].map(formatClock)).toEqual(['5:00', '4:07', '1:00', '0:09', '0:00'])
  })
})
