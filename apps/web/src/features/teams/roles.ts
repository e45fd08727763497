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
const builtInRole = (category: Role['category'], name: string, emoji: string): RoleChoice => ({
  id: name,
  name,
  emoji,
  category,
})

/** The roles of the specification, for when the call fails or answers none. */
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
  const idByName = new Map(known.map((role) => [role.name, role.id]))
  return chosen.map((role) => (role.id === role.name ? { ...role, id: idByName.get(role.name) ?? role.id } : role))
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
