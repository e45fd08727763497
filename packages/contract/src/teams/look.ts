/** How a team looks, decided by its name alone, so that every client draws the same tile. Pure: no imports, no clock. */

/** One of the 18 named colour sets. `tile` is filled; `band` is the card's head; `name` is text on the band. */
export interface TeamColour {
  name: string
  tile: string
  band: string
  text: string
  tileDark: string
  bandDark: string
  textDark: string
}

const colour = (
  name: string,
  tile: string,
  band: string,
  text: string,
  tileDark: string,
  bandDark: string,
  textDark: string,
): TeamColour => ({ name, tile, band, text, tileDark, bandDark, textDark })

export const TEAM_COLOURS: readonly TeamColour[] = [
  colour('Fassi cobalt', '#2454B3', '#E8F0FE', '#17397B', '#6F9DF3', '#172745', '#B9D2FF'),
  colour('Chefchaouen', '#01628E', '#E1F2FE', '#004262', '#63A7D2', '#0B2B3D', '#A9D8F8'),
  colour('Majorelle', '#5140C0', '#ECEEFF', '#363079', '#908FFF', '#232344', '#C9CCFF'),
  colour('Amazigh indigo', '#49578D', '#EAEFFD', '#2D386C', '#8D9CCF', '#21263C', '#C4D0F5'),
  colour('Tiznit silver', '#4E5C6B', '#ECF0F3', '#313F4D', '#93A0AE', '#23282E', '#C8D2DD'),
  colour('Essaouira sea', '#046677', '#E1F3F7', '#004552', '#63ABBC', '#0B2D34', '#A9DBE7'),
  colour('Agadir lagoon', '#036966', '#E3F3F2', '#004745', '#6AACA9', '#0F2D2C', '#ADDCD9'),
  colour('Mint tea', '#036C4D', '#E2F4EB', '#004933', '#69AF91', '#0E2F22', '#ADDEC7'),
  colour('Oasis palm', '#1C6C31', '#E4F4E5', '#004B19', '#71B07A', '#132F18', '#B2DFB7'),
  colour('Argan', '#526319', '#ECF2E2', '#364400', '#95A76B', '#242B11', '#CAD8AC'),
  colour('Olive of Meknès', '#605E17', '#F0F0E1', '#414000', '#A3A26A', '#2A2910', '#D4D4AC'),
  colour('Taliouine saffron', '#745501', '#F7EEDD', '#4F3900', '#BA9A57', '#332506', '#E6CEA0'),
  colour('Ouarzazate ochre', '#804E03', '#FBEDDE', '#583400', '#C5935C', '#372309', '#EFCAA3'),
  colour('Tangerine', '#8F4100', '#FFEBE0', '#632A00', '#D5895E', '#3E1E0A', '#FCC3A4'),
  colour('Marrakech clay', '#993519', '#FEEAE5', '#6E1C03', '#DE8269', '#401B12', '#FEC0AF'),
  colour('Pomegranate', '#A51C30', '#FEE9E9', '#6F1821', '#EA7678', '#401A1B', '#FEBEBD'),
  colour("M'Gouna rose", '#9A255E', '#FEE9F0', '#6A183F', '#E078A1', '#3E1A29', '#FFBBD3'),
  colour('Fig', '#7E3D82', '#FAE9FA', '#5B205F', '#C186C4', '#361D37', '#ECC0EE'),
]

/** None is younger than Emoji 11, so that old Androids draw them. Decoration: the name carries the meaning. */
export const TEAM_EMOJIS = [
  '🦁',
  '🐪',
  '🦅',
  '🌴',
  '🌊',
  '⛰️',
  '🌙',
  '⭐',
  '🔥',
  '⚡',
  '🚀',
  '🧩',
  '🎯',
  '🔧',
  '🍊',
  '🌿',
] as const

/** Icons by their lucide names, each with the words that choose it; the first group that matches wins. */
export const TEAM_ICONS = [
  { icon: 'panels-top-left', keywords: 'front web react css html page site' },
  { icon: 'server', keywords: 'back api server node serveur خادم' },
  { icon: 'layers', keywords: 'full stack fullstack' },
  { icon: 'smartphone', keywords: 'mobile app android ios flutter تطبيق' },
  { icon: 'database', keywords: 'data sql analytics données بيانات' },
  { icon: 'brain-circuit', keywords: 'ai ia ml neural brain deep gpt ذكاء' },
  { icon: 'container', keywords: 'devops cloud docker kube infra سحاب' },
  { icon: 'shield-check', keywords: 'secur cyber hack guard shield sécur أمن' },
  { icon: 'bug', keywords: 'qa test bug quality qualité' },
  { icon: 'gamepad-2', keywords: 'game play pixel arcade jeu لعبة' },
  { icon: 'pen-tool', keywords: 'design ui ux figma تصميم' },
  { icon: 'palette', keywords: 'art creat graphic color couleur فن' },
  { icon: 'rotate-3d', keywords: '3d motion vr ar render animation' },
  { icon: 'clapperboard', keywords: 'video film studio media cinema فيديو' },
  { icon: 'audio-lines', keywords: 'voice audio podcast sound music voix صوت' },
  { icon: 'camera', keywords: 'photo camera lens image صورة' },
  { icon: 'feather', keywords: 'write content copy word blog rédac محتوى' },
  { icon: 'megaphone', keywords: 'market growth seo social brand تسويق' },
  { icon: 'rocket', keywords: 'start launch venture business product projet مشروع' },
  { icon: 'leaf', keywords: 'green nature atlas eco tree mountain أطلس' },
  { icon: 'zap', keywords: 'fire storm thunder flash speed éclair برق' },
  { icon: 'paw-print', keywords: 'lion wolf eagle falcon tiger fox أسد أسود نسر' },
  { icon: 'moon-star', keywords: 'sahara desert night moon star sun نجم صحراء' },
  { icon: 'code-xml', keywords: 'code dev script bit byte tech algo برمجة' },
] as const

export type TeamIconName = (typeof TEAM_ICONS)[number]['icon']

export interface TeamLook {
  /** Index into `TEAM_COLOURS`. */
  colour: number
  emoji: string
  emojiIndex: number
  icon: TeamIconName
  iconIndex: number
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** FNV-1a over the bytes of a text, as an unsigned 32-bit number. */
export function fnv1a32(text: string): number {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME)
  return hash >>> 0
}

const lookKey = (name: string): string => name.toLowerCase().trim().normalize('NFC')

/** Keywords shorter than this must be the whole token: else "ui" hits "build" and "art" hits "start". */
const PREFIX_LENGTH_MIN = 4

const ICON_KEYWORDS = TEAM_ICONS.map((group) => group.keywords.normalize('NFC').split(' '))

const tokensOf = (key: string): string[] =>
  key
    .split(/[^\p{L}\p{N}]+/u)
    .map((token) => token.replace(/^ال/u, ''))
    .filter((token) => token !== '')

function iconByKeyword(key: string): number {
  const tokens = tokensOf(key)
  const matches = (keyword: string): boolean =>
    tokens.some((token) => token === keyword || (keyword.length >= PREFIX_LENGTH_MIN && token.startsWith(keyword)))
  return ICON_KEYWORDS.findIndex((keywords) => keywords.some(matches))
}

/** The colour (0 to 17), emoji and icon of a team with this name. Case and surrounding space do not matter. */
export function teamLook(name: string): TeamLook {
  const key = lookKey(name)
  const hash = fnv1a32(key)
  const emojiIndex = (hash >>> 8) % TEAM_EMOJIS.length
  const byKeyword = iconByKeyword(key)
  const iconIndex = byKeyword >= 0 ? byKeyword : (hash >>> 16) % TEAM_ICONS.length
  // Both indices are a remainder of the list's own length.
  const emoji = TEAM_EMOJIS[emojiIndex] ?? TEAM_EMOJIS[0]
  const icon = (TEAM_ICONS[iconIndex] ?? TEAM_ICONS[0]).icon
  return { colour: hash % TEAM_COLOURS.length, emoji, emojiIndex, icon, iconIndex }
}
