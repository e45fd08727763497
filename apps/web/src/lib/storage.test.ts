import { afterEach, describe, expect, it, vi } from 'vitest'
import { clearSession, currentUser } from './session.ts'
import { browserStore, tabStore } from './storage.ts'
import { signIn } from '../../test/sign-in.ts'

const forbidden = (): never => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each([
  ['localStorage', browserStore],
  ['sessionStorage', tabStore],
] as const)('%s', (name, store) => {
  it('keeps, answers and drops', () => {
    store.writeJson('draft', { step: 1 })
    expect(window[name].getItem('draft')).toBe('{"step":1}')
    expect(store.readJson('draft')).toEqual({ step: 1 })
    store.drop('draft')
    expect(store.read('draft')).toBeNull()
  })

  it('answers nothing in place of what is no JSON', () => {
    window[name].setItem('draft', '{"step":')
    expect(store.readJson('draft')).toBeNull()
  })

  it('that is forbidden is a memory of the page', () => {
    vi.spyOn(window, name, 'get').mockImplementation(forbidden)
    expect(store.read('draft')).toBeNull()
    store.write('draft', 'x')
    expect(store.read('draft')).toBe('x')
    store.drop('draft')
    expect(store.read('draft')).toBeNull()
  })

  it('that is full keeps the newest in memory, until it has room again', () => {
    store.write('draft', 'old')
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(forbidden)
    store.write('draft', 'new')
    expect(store.read('draft')).toBe('new')
    full.mockRestore()
    store.write('draft', 'newer')
    expect(window[name].getItem('draft')).toBe('newer')
  })
})

it('somebody can be signed in without a storage', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(forbidden)
  expect(currentUser()).toBeNull()
  signIn({ name: 'Sara' })
  expect(currentUser()?.name).toBe('Sara')
  clearSession()
  expect(currentUser()).toBeNull()
})
