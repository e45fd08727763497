import { describe, expect, it } from 'vitest'
import { whatsAppAddress } from './whatsapp-address.ts'

describe('whatsAppAddress', () => {
  it('writes a Moroccan number with its country code', () => {
    expect(whatsAppAddress('0612 345 678')).toBe('https://wa.me/212612345678')
    expect(whatsAppAddress('+212712345678')).toBe('https://wa.me/212712345678')
    expect(whatsAppAddress('0412345678')).toBeNull()
  })
})
