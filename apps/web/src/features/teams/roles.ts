import type { Role } from '@community/contract'
import { msg, type Translate } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'

export interface RoleChoice {
  id: string
  name: string
  emoji: string
  category: Role['category']
}

export const ROLE_CATEGORIES = ['Development', 'Design', 'Marketing', 'Other', 'Management'] as const

/** What each category is called, in the specification's order. */
export const categoryLabels = (t: Translate): Record<Role['category'], string> => ({
  Development: t('Development'),
  Design: t('Design'),
  Marketing: t('Marketing'),
  Other: t('Other'),
  Management: t('Management'),
})

// The server gives ids: until it does, a name stands for its role and is looked up when it is sent.
const fallback = (category: Role['category'], name: string, emoji: string): RoleChoice => ({
  id: name,
  name,
  emoji,
  category,
})

/** The roles of the specification, for when the call fails or answers none. */
export const FALLBACK_ROLES: readonly RoleChoice[] = [
  fallback('Development', msg('Frontend Developer'), '🎨'),
  fallback('Development', msg('Backend Developer'), '⚙️'),
  fallback('Development', msg('Full Stack Developer'), '🔧'),
  fallback('Development', msg('Mobile Developer'), '📱'),
  fallback('Development', msg('Data Scientist'), '📊'),
  fallback('Development', msg('DevOps Engineer'), '🚀'),
  fallback('Development', msg('QA Engineer'), '🧪'),
  fallback('Development', msg('Security Specialist'), '🔒'),
  fallback('Design', msg('UI Designer'), '🖌️'),
  fallback('Design', msg('UX Designer'), '🧭'),
  fallback('Design', msg('Graphic Designer'), '🖼️'),
  fallback('Design', msg('Brand Designer'), '🏷️'),
  fallback('Design', msg('3D Artist'), '🧊'),
  fallback('Design', msg('Motion Graphics Designer'), '🎞️'),
  fallback('Marketing', msg('Content Writer'), '✍️'),
  fallback('Marketing', msg('Copywriter'), '📝'),
  fallback('Marketing', msg('Content Strategist'), '🗺️'),
  fallback('Marketing', msg('Social Media Manager'), '💬'),
  fallback('Marketing', msg('SEO Specialist'), '🔍'),
  fallback('Marketing', msg('Digital Marketer'), '📣'),
  fallback('Other', msg('Voice Over Artist'), '🎙️'),
  fallback('Other', msg('Video Editor'), '🎬'),
  fallback('Other', msg('Photographer'), '📷'),
  fallback('Other', msg('Podcast Producer'), '🎧'),
  fallback('Other', msg('Sound Designer'), '🎵'),
  fallback('Management', msg('Project Manager'), '📋'),
  fallback('Management', msg('Product Manager'), '💡'),
  fallback('Management', msg('Business Analyst'), '📈'),
  fallback('Management', msg('Scrum Master'), '🔄'),
]

const HOUR_MS = 3_600_000

/** The roles a team may need. `isFallback`: the server gave none, their ids are their names. */
export function useRoles(): { roles: readonly RoleChoice[]; isLoading: boolean; isFallback: boolean } {
  const { data, isLoading } = trpc.roles.list.useQuery(undefined, { staleTime: HOUR_MS })
  const isFallback = !data || data.roles.length === 0
  return { roles: isFallback ? FALLBACK_ROLES : data.roles, isLoading, isFallback }
}

/** Roles by category, empty categories left out. */
export function byCategory<R extends { category: Role['category'] }>(roles: readonly R[]) {
  return ROLE_CATEGORIES.map((category) => ({
    category,
    roles: roles.filter((role) => role.category === category),
  })).filter((group) => group.roles.length > 0)
}

/** The roles with the server's ids in place of a fallback's names. A name the server does not know stays as it is, for it to refuse. */
export function withServerIds<C extends { id: string; name: string }>(
  chosen: readonly C[],
  known: readonly { id: string; name: string }[],
): C[] {
  const idOf = new Map(known.map((role) => [role.name, role.id]))
  return chosen.map((role) => (role.id === role.name ? { ...role, id: idOf.get(role.name) ?? role.id } : role))
}

/** Gives roles that were chosen from the built-in list the server's ids, once they are needed. */
export function useRoleIds(): <C extends { id: string; name: string }>(chosen: C[]) => Promise<C[]> {
  const utils = trpc.useUtils()
  return async (chosen) => {
    if (chosen.every((role) => role.id !== role.name)) return chosen
    const known = await utils.roles.list.fetch()
    return withServerIds(chosen, known.roles)
  }
}
