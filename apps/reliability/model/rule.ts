import type { Community, Operation, Outcome, Team } from './community.ts'

export const OK = '200'
export const CREATED = '201'
export const TEAM_MISSING = '404 TEAM_MISSING'

/** Returns the expected response and changes the community. */
export type Rule<O> = (community: Community, operation: O) => Outcome
export type RulesOf<O extends Operation> = { [K in O['kind']]: Rule<Extract<O, { kind: K }>> }

export const isAdmin = ({ admins }: Community, actor: number): boolean => actor >= admins

export const byAdmin =
  <O extends { actor: number }>(rule: Rule<O>): Rule<O> =>
  (community, operation) =>
    isAdmin(community, operation.actor) ? rule(community, operation) : '403 ADMINS_ONLY'

/** Records an event at the active webhooks of its team, and at those of the administrators, which get every event. */
export function emit({ webhooks }: Community, event: string, teamName?: string): void {
  for (const webhook of webhooks.values())
    if (webhook.isActive && (webhook.team === null || webhook.team === teamName)) webhook.received.push(event)
}

/**
 * The member who joined first follows a chef who is removed; a team without members becomes inactive. The webhooks that the removed member
 * created for the team are paused before the event, so they do not receive it.
 */
export function removeMember(community: Community, teamName: string, team: Team, removed: number): void {
  team.members = team.members.filter((member) => member !== removed)
  if (team.chef === removed) team.chef = team.members[0] ?? null
  if (team.members.length === 0) team.isActive = false
  for (const webhook of community.webhooks.values())
    if (webhook.team === teamName && webhook.creator === removed) webhook.isActive = false
  emit(community, 'team.member.left', teamName)
}
