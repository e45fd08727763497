import { type Challenge, type ErrorDefinition, type Submission, type Team, whyCannotApply } from '@community/contract'

/** One of the caller's teams, seen from a challenge. */
export interface TeamEligibility {
  team: Team
  isChef: boolean
  /** Its pending and approved submissions of the challenge. */
  usedSlots: number
  /** Why it cannot apply; null when it can. */
  reason: ErrorDefinition | null
  /** Its newest submission of the challenge, where that was rejected. */
  rejected: Submission | null
}

/** How each of a member's teams stands to a challenge. Applications come newest first. */
export function eligibilitiesOf(
  challenge: Challenge,
  ownWork: { userId: string; teams: readonly Team[]; applications: readonly Submission[] },
  now: Date,
): TeamEligibility[] {
  return ownWork.teams.map((team) => {
    const isChef = team.ownerId === ownWork.userId
    const submissions = ownWork.applications.filter(
      ({ challengeId, teamId }) => challengeId.id === challenge.id && teamId.id === team.id,
    )
    const usedSlots = submissions.filter(({ status }) => status !== 'rejected').length
    const rejected = submissions[0]?.status === 'rejected' ? submissions[0] : null
    const reason = whyCannotApply(challenge, { canSubmit: isChef, isTeamActive: team.isActive, usedSlots }, now)
    return { team, isChef, usedSlots, reason, rejected }
  })
}

/** Has the member nothing left to apply with, because every team they lead has? */
export function haveAllApplied(eligibilities: readonly TeamEligibility[]): boolean {
  const chefTeams = eligibilities.filter(({ isChef }) => isChef)
  return chefTeams.length > 0 && chefTeams.every(({ reason }) => reason?.code === 'ALREADY_APPLIED')
}

/** Why the member as a whole cannot apply; null when one of their teams can. */
export function whyNobodyCanApply(eligibilities: readonly TeamEligibility[]): ErrorDefinition['code'] | null {
  if (eligibilities.some(({ reason }) => reason === null)) return null
  const chefTeams = eligibilities.filter(({ isChef }) => isChef)
  if (chefTeams.length > 0) return chefTeams[0]?.reason?.code ?? null
  return eligibilities.some(({ usedSlots }) => usedSlots > 0) ? 'ALREADY_APPLIED' : 'CHEF_REQUIRED'
}
