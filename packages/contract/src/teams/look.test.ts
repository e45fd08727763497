import { describe, expect, it } from 'vitest'
import { fnv1a32, TEAM_COLOUR_COUNT, teamColour } from './colour.ts'
import { TEAM_EMOJIS, TEAM_ICONS, teamLook } from './look.ts'

describe('team look', () => {
  it.each([
    { name: 'Atlas Lions', hash: 0xa448e7d7, colour: 7, emoji: 7, hashIcon: 8, icon: 19 },
    { name: 'Code Fassi', hash: 0xc4a209b6, colour: 0, emoji: 9, hashIcon: 10, icon: 23 },
    { name: 'فريق الأطلس', hash: 0x82b8a358, colour: 16, emoji: 3, hashIcon: 8, icon: 19 },
  ])('matches the test vector of $name', ({ name, hash, colour, emoji, hashIcon, icon }) => {
    expect(fnv1a32(name.toLowerCase().normalize('NFC'))).toBe(hash)
    expect((hash >>> 16) % TEAM_ICONS.length).toBe(hashIcon)
    expect(teamColour(name)).toBe(colour)
    expect(teamLook(name)).toEqual({
      colour,
      emoji: TEAM_EMOJIS[emoji],
      emojiIndex: emoji,
      icon: TEAM_ICONS[icon]?.icon,
      iconIndex: icon,
    })
  })

  it('has 18 colours, 16 emojis and 24 icon groups', () => {
    expect(TEAM_COLOUR_COUNT).toBe(18)
    expect(TEAM_EMOJIS).toHaveLength(16)
    expect(TEAM_ICONS).toHaveLength(24)
  })

  it('does not depend on case, surrounding space or the form of accents', () => {
    expect(teamLook('  ATLAS lions ')).toEqual(teamLook('Atlas Lions'))
    expect(teamLook('Éclair')).toEqual(teamLook('E\u0301clair'))
  })

  it('matches short keywords only as whole words', () => {
    const hashIcon = (name: string) => (fnv1a32(name.toLowerCase()) >>> 16) % TEAM_ICONS.length
    expect(teamLook('Builders').iconIndex).toBe(hashIcon('Builders'))
    expect(teamLook('UI Kasbah').icon).toBe('pen-tool')
    expect(teamLook('Startup Souk').icon).toBe('rocket')
    expect(teamLook('Art of Fès').icon).toBe('palette')
  })

  it('prefers the first group, and matches long keywords as prefixes', () => {
    expect(teamLook('Frontend Lions').icon).toBe('panels-top-left')
    expect(teamLook('Cybersecurity').icon).toBe('shield-check')
    expect(teamLook('Sécurité Rabat').icon).toBe('shield-check')
  })

  it('spreads names over all colours', () => {
    const seen = new Set(Array.from({ length: 400 }, (_, index) => teamLook(`Team ${index}`).colour))
    expect(seen.size).toBe(18)
  })
})
