// Separate from look.ts, so that the web app's first screen does not load emojis, icons and keywords.

/** The web app's team-colours.css has a class for each. */
export const TEAM_COLOUR_COUNT = 18

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** FNV-1a over the UTF-8 bytes of a text, as an unsigned 32-bit number. */
export function fnv1a32(text: string): number {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME)
  return hash >>> 0
}

/** The name that a look is derived from: case, surrounding space and the form of accents do not matter. */
export const lookKey = (name: string): string => name.toLowerCase().trim().normalize('NFC')

/** The colour (0 to 17) of a team with this name: the number of a CSS class. */
export const teamColour = (name: string): number => fnv1a32(lookKey(name)) % TEAM_COLOUR_COUNT
