import { TEAM_COLOURS } from '@community/contract/colours'

const rule = (selector: string, tile: string, band: string, text: string): string =>
  `${selector} {\n  --team-tile: ${tile.toLowerCase()};\n  --team-band: ${band.toLowerCase()};\n  --team-text: ${text.toLowerCase()};\n}\n`

/** The style sheet of the 18 team colour sets: class `team-{n}` sets the variables behind the colour `tile` and `.team-band`. */
export function teamColoursCss(): string {
  const light = TEAM_COLOURS.map((set, index) => rule(`.team-${index}`, set.tile, set.band, set.text))
  const dark = TEAM_COLOURS.map((set, index) =>
    rule(`[data-theme="dark"] .team-${index}`, set.tileDark, set.bandDark, set.textDark),
  )
  return `/* Made from packages/contract/src/teams/colours.ts by build/team-colours.ts; a test keeps them equal. */\n${[...light, ...dark].join('\n')}`
}
