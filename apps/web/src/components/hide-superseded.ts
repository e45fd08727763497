import type { Submission } from '@community/contract'

/**
 * Hides rejected submissions that have a newer submission by the same team for the same challenge. Expects the newest
 * first.
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
