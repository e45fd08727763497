import { describe, expect, it } from 'vitest'
import { whatsAppLink } from './whatsapp-link.ts'

describe('whatsAppLink', () => {
  it('links to a Moroccan number with its country code', () => {
    expect(whatsAppLink('0612 345 678')).toBe('https://wa.me/212612345678')
    expect(whatsAppLink('+212712345678')).toBe('https://wa.me/212712345678')
    expect(whatsAppLink('0412345678')).toBeNull()
  })
})
