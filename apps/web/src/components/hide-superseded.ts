import type { Submission } from '@community/contract'

/** Leaves out rejected submissions that have a newer one by the same team for the same challenge. Expects the newest first. */
export function hideSuperseded(submissions: readonly Submission[]): Submission[] {
  const seen = new Set<string>()
  return submissions.filter(({ status, teamId, challengeId }) => {
    const key = `${teamId.id} ${challengeId.id}`
    const isSuperseded = status === 'rejected' && seen.has(key)
    seen.add(key)
    return !isSuperseded
  })
}
