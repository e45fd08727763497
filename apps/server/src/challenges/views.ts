import type { Challenge } from '@community/contract'
import type { ChallengeRow } from './queries.ts'

/** The API representation of a challenge. */
export const toChallenge = ({ deadline, createdAt, updatedAt, ...row }: ChallengeRow): Challenge => ({
  ...row,
  _id: row.id,
  deadline: deadline.toISOString(),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
