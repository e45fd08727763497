import { type Challenge, type ErrorDefinition, type Submission, type Team, whyCannotApply } from '@community/contract'

/** One of the caller's teams, seen from a challenge. */
export interface Standing {
  team: Team
  isChef: boolean
  /** Its pending and approved submissions of the challenge. */
  taken: number
  /** Why it cannot apply; null when it can. */
  refusal: ErrorDefinition | null
  /** Its newest submission of the challenge, where that was rejected. */
  rejected: Submission | null
}

/** How each of a member's teams stands to a challenge. Applications come newest first. */
export function standingsOf(
  challenge: Challenge,
  own: { userId: string; teams: readonly Team[]; applications: readonly Submission[] },
  now: Date,
): Standing[] {
  return own.teams.map((team) => {
    const isChef = team.ownerId === own.userId
    const sent = own.applications.filter(
      ({ challengeId, teamId }) => challengeId.id === challenge.id && teamId.id === team.id,
    )
    const taken = sent.filter(({ status }) => status !== 'rejected').length
    const rejected = sent[0]?.status === 'rejected' ? sent[0] : null
    const refusal = whyCannotApply(challenge, { canSubmit: isChef, isTeamActive: team.isActive, usedSlots: taken }, now)
    return { team, isChef, taken, refusal, rejected }
  })
}

/** Has the member nothing left to apply with, because every team they lead has? */
export function haveAllApplied(standings: readonly Standing[]): boolean {
  const led = standings.filter(({ isChef }) => isChef)
  return led.length > 0 && led.every(({ refusal }) => refusal?.code === 'ALREADY_APPLIED')
}

/** Why the member as a whole cannot apply; null when one of their teams can. */
export function whyNobodyCanApply(standings: readonly Standing[]): ErrorDefinition['code'] | null {
  if (standings.some(({ refusal }) => refusal === null)) return null
  const led = standings.filter(({ isChef }) => isChef)
  if (led.length > 0) return led[0]?.refusal?.code ?? null
  return standings.some(({ taken }) => taken > 0) ? 'ALREADY_APPLIED' : 'CHEF_REQUIRED'
}
