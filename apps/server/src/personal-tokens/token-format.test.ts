import { describe, expect, it } from 'vitest'
import { generateToken, isPersonalToken, isWellFormed } from './token-format.ts'

describe('a personal access token', () => {
  it('has a prefix, 30 random characters and a checksum', () => {
    const tokens = Array.from({ length: 500 }, generateToken)
    for (const token of tokens) {
      expect(token).toMatch(/^cmt_[0-9A-Za-z]{36}$/)
      expect(isPersonalToken(token)).toBe(true)
      expect(isWellFormed(token)).toBe(true)
    }
    expect(new Set(tokens).size).toBe(500)
  })

  // Computed with Python's zlib.
  it.each(['cmt_0000000000000000000000000000002C8GjS', 'cmt_abcdefghijklmnopqrstuvwxyzABCD4dNndU'])(
    'ends with the CRC-32 of the random part in base62: %s',
    (token) => expect(isWellFormed(token)).toBe(true),
  )

  it('is rejected after any change of one character', () => {
    const token = generateToken()
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'x' ? 'y' : 'x'
      expect(isWellFormed(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
    }
    for (const wrong of ['', 'cmt_', token.slice(0, -1), `${token}0`, ` ${token}`, token.toUpperCase()])
      expect(isWellFormed(wrong)).toBe(false)
  })
})
