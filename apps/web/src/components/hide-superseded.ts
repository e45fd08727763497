import type { Submission } from '@community/contract'

/**
 * What a member needs to see of their teams' submissions (newest first): a rejected one is hidden when the same team
 * has a newer one for that challenge.
 */
export function hideSuperseded(applications: readonly Submission[]): Submission[] {
  const seen = new Set<string>()
  return applications.filter(({ status, teamId, challengeId }) => {
    const pair = `${teamId.id} ${challengeId.id}`
    const isSuperseded = status === 'rejected' && seen.has(pair)
    seen.add(pair)
    return !isSuperseded
  })
}
