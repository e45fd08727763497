/** A team's look depends on its name alone, so that every client draws the same tile. */

import { fnv1a32, lookKey, TEAM_COLOUR_COUNT } from './colour.ts'

/** At most Emoji 11, so that old Android versions can draw them. Decoration only: the name carries the meaning. */
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

/** Lucide icons with the keywords that select them; the first matching group wins. */
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

interface TeamLook {
  /** From `teamColour`. */
  colour: number
  emoji: string
  emojiIndex: number
  icon: TeamIconName
  iconIndex: number
}

/** Shorter keywords must be the whole token: "ui" would match "build", "art" would match "start". */
const PREFIX_LENGTH_MIN = 4

const ICON_KEYWORDS = TEAM_ICONS.map((group) => group.keywords.normalize('NFC').split(' '))

const tokensOf = (key: string): string[] =>
  key
    .split(/[^\p{L}\p{N}]+/u)
    .map((token) => token.replace(/^ال/u, ''))
    .filter((token) => token !== '')

function iconByKeyword(key: string): number {
  const tokens = tokensOf(key)
  const matchesToken = (keyword: string): boolean =>
    tokens.some((token) => token === keyword || (keyword.length >= PREFIX_LENGTH_MIN && token.startsWith(keyword)))
  return ICON_KEYWORDS.findIndex((keywords) => keywords.some(matchesToken))
}

/** The colour (0 to 17), emoji and icon of a team with this name. Case and surrounding space do not matter. */
export function teamLook(name: string): TeamLook {
  const key = lookKey(name)
  const hash = fnv1a32(key)
  const emojiIndex = (hash >>> 8) % TEAM_EMOJIS.length
  const byKeyword = iconByKeyword(key)
  const iconIndex = byKeyword >= 0 ? byKeyword : (hash >>> 16) % TEAM_ICONS.length
  // Both indices are in range; the fallback is for the compiler.
  const emoji = TEAM_EMOJIS[emojiIndex] ?? TEAM_EMOJIS[0]
  const icon = (TEAM_ICONS[iconIndex] ?? TEAM_ICONS[0]).icon
  return { colour: hash % TEAM_COLOUR_COUNT, emoji, emojiIndex, icon, iconIndex }
}
