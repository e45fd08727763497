import {
  appErrors,
  type Challenge,
  type ErrorDefinition,
  type Submission,
  type Team,
  whyCannotApply,
  withMessage,
} from '@community/contract'
import { hideSuperseded } from '../../components/hide-superseded.ts'
import { msg } from '../../lib/i18n.ts'

/** Whether one of the user's teams can apply to a challenge. */
export interface TeamEligibility {
  team: Team
  isChef: boolean
  /** Number of its pending and approved submissions for the challenge. */
  usedSlots: number
  /** Why it cannot apply; null when it can. */
  reason: ErrorDefinition | null
  /** Its last rejected submission for the challenge, unless it has submitted again since. */
  rejected: Submission | null
}

/** The eligibility of each of the user's teams. */
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
    const rejected = hideSuperseded(submissions).find(({ status }) => status === 'rejected') ?? null
    const reason = whyCannotApply(challenge, { canSubmit: isChef, isTeamActive: team.isActive, usedSlots }, now)
    return { team, isChef, usedSlots, reason, rejected }
  })
}

/** Whether no team that the user is chef of has a free slot left. */
export function haveAllApplied(eligibilities: readonly TeamEligibility[]): boolean {
  const chefTeams = eligibilities.filter(({ isChef }) => isChef)
  return chefTeams.length > 0 && chefTeams.every(({ reason }) => reason?.code === appErrors.alreadyApplied.code)
}

const ONE_TEAM_APPLIED = withMessage(
  appErrors.alreadyApplied,
  msg('One of your teams has already applied to this challenge'),
)

/** Why none of the user's teams can apply: if the user is chef of several, the reason of the first. Null when one can. */
export function whyNobodyCanApply(eligibilities: readonly TeamEligibility[]): ErrorDefinition | null {
  if (eligibilities.some(({ reason }) => reason === null)) return null
  const chefTeams = eligibilities.filter(({ isChef }) => isChef)
  if (chefTeams[0]) {
    const { reason } = chefTeams[0]
    return reason?.code === ONE_TEAM_APPLIED.code ? ONE_TEAM_APPLIED : reason
  }
  return eligibilities.some(({ usedSlots }) => usedSlots > 0) ? ONE_TEAM_APPLIED : appErrors.chefRequired
}
