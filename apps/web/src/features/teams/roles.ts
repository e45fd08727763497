import type { Role } from '@community/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { msg, type Translate } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'

export interface RoleChoice {
  id: string
  name: string
  emoji: string
  category: Role['category']
}

const ROLE_CATEGORIES = ['Development', 'Design', 'Marketing', 'Other', 'Management'] as const

/** The translated categories, in the specification's order. */
export const categoryLabels = (t: Translate): Record<Role['category'], string> => ({
  Development: t('Development'),
  Design: t('Design'),
  Marketing: t('Marketing'),
  Other: t('Other'),
  Management: t('Management'),
})

// Without the server's ids, a role's name serves as its id and is replaced before sending.
const builtInRole = (category: Role['category'], name: string, emoji: string): RoleChoice => ({
  id: name,
  name,
  emoji,
  category,
})

/** The specification's roles, used if the request fails or returns none. */
export const FALLBACK_ROLES: readonly RoleChoice[] = [
  builtInRole('Development', msg('Frontend Developer'), '🎨'),
  builtInRole('Development', msg('Backend Developer'), '⚙️'),
  builtInRole('Development', msg('Full Stack Developer'), '🔧'),
  builtInRole('Development', msg('Mobile Developer'), '📱'),
  builtInRole('Development', msg('Data Scientist'), '📊'),
  builtInRole('Development', msg('DevOps Engineer'), '🚀'),
  builtInRole('Development', msg('QA Engineer'), '🧪'),
  builtInRole('Development', msg('Security Specialist'), '🔒'),
  builtInRole('Design', msg('UI Designer'), '🖌️'),
  builtInRole('Design', msg('UX Designer'), '🧭'),
  builtInRole('Design', msg('Graphic Designer'), '🖼️'),
  builtInRole('Design', msg('Brand Designer'), '🏷️'),
  builtInRole('Design', msg('3D Artist'), '🧊'),
  builtInRole('Design', msg('Motion Graphics Designer'), '🎞️'),
  builtInRole('Marketing', msg('Content Writer'), '✍️'),
  builtInRole('Marketing', msg('Copywriter'), '📝'),
  builtInRole('Marketing', msg('Content Strategist'), '🗺️'),
  builtInRole('Marketing', msg('Social Media Manager'), '💬'),
  builtInRole('Marketing', msg('SEO Specialist'), '🔍'),
  builtInRole('Marketing', msg('Digital Marketer'), '📣'),
  builtInRole('Other', msg('Voice Over Artist'), '🎙️'),
  builtInRole('Other', msg('Video Editor'), '🎬'),
  builtInRole('Other', msg('Photographer'), '📷'),
  builtInRole('Other', msg('Podcast Producer'), '🎧'),
  builtInRole('Other', msg('Sound Designer'), '🎵'),
  builtInRole('Management', msg('Project Manager'), '📋'),
  builtInRole('Management', msg('Product Manager'), '💡'),
  builtInRole('Management', msg('Business Analyst'), '📈'),
  builtInRole('Management', msg('Scrum Master'), '🔄'),
]

const HOUR_MS = 3_600_000

/** The roles a team may need. `isFallback`: they are the built-in ones, whose ids are their names. */
export function useRoles(): { roles: readonly RoleChoice[]; isLoading: boolean; isFallback: boolean } {
  const { data, isLoading } = useQuery(trpc.roles.list.queryOptions(undefined, { staleTime: HOUR_MS }))
  const isFallback = !data || data.roles.length === 0
  return { roles: isFallback ? FALLBACK_ROLES : data.roles, isLoading, isFallback }
}

/** The roles by category, without empty categories. */
export function byCategory<R extends { category: Role['category'] }>(roles: readonly R[]) {
  return ROLE_CATEGORIES.map((category) => ({
    category,
    roles: roles.filter((role) => role.category === category),
  })).filter((group) => group.roles.length > 0)
}

/** Replaces the built-in roles' names by the server's ids. Unknown names stay, so that the server rejects them. */
export function withServerIds<C extends { id: string; name: string }>(
  chosen: readonly C[],
  known: readonly { id: string; name: string }[],
): C[] {
  const idByName = new Map(known.map((role) => [role.name, role.id]))
  return chosen.map((role) => (role.id === role.name ? { ...role, id: idByName.get(role.name) ?? role.id } : role))
}

/** Returns a function that replaces built-in roles by the server's ids, loading these if necessary. */
export function useRoleIds(): <C extends { id: string; name: string }>(chosen: C[]) => Promise<C[]> {
  const queryClient = useQueryClient()
  return async (chosen) => {
    if (chosen.every((role) => role.id !== role.name)) return chosen
    const known = await queryClient.fetchQuery(trpc.roles.list.queryOptions())
    return withServerIds(chosen, known.roles)
  }
}
