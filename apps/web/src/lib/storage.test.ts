import { describe, expect, it, vi } from 'vitest'
import { clearSession, currentUser } from './session.ts'
import { browserStore, tabStore } from './storage.ts'
import { signIn } from '../../test/sign-in.ts'

const forbidden = (): never => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}

describe.each([
  ['localStorage', browserStore],
  ['sessionStorage', tabStore],
] as const)('%s', (name, store) => {
  it('stores, reads and removes', () => {
    store.writeJson('draft', { step: 1 })
    expect(window[name].getItem('draft')).toBe('{"step":1}')
    expect(store.readJson('draft')).toEqual({ step: 1 })
    store.remove('draft')
    expect(store.read('draft')).toBeNull()
  })

  it('reads invalid JSON as null', () => {
    window[name].setItem('draft', '{"step":')
    expect(store.readJson('draft')).toBeNull()
  })

  it('falls back to memory if it is blocked', () => {
    vi.spyOn(window, name, 'get').mockImplementation(forbidden)
    expect(store.read('draft')).toBeNull()
    store.write('draft', 'x')
    expect(store.read('draft')).toBe('x')
    store.remove('draft')
    expect(store.read('draft')).toBeNull()
  })

  it('keeps values in memory while it is full', () => {
    store.write('draft', 'old')
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(forbidden)
    store.write('draft', 'new')
    expect(store.read('draft')).toBe('new')
    full.mockRestore()
    store.write('draft', 'newer')
    expect(window[name].getItem('draft')).toBe('newer')
  })
})

it('a user can sign in without Web Storage', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(forbidden)
  expect(currentUser()).toBeNull()
  signIn({ name: 'Sara' })
  expect(currentUser()?.name).toBe('Sara')
  clearSession()
  expect(currentUser()).toBeNull()
})
