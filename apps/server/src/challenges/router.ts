import type { DomainUseCases } from '../trpc.ts'
import { applyToChallenge } from './apply-to-challenge.ts'
import { listMyTeamApplications } from './list-my-team-applications.ts'
import { getChallenge, listByCategory, listByDifficulty, listChallenges, listOpenChallenges } from './views.ts'

export const challengesUseCases: DomainUseCases<'challenges'> = {
  list: listChallenges,
  active: listOpenChallenges,
  byCategory: listByCategory,
  byDifficulty: listByDifficulty,
  myTeamApplications: listMyTeamApplications,
  get: getChallenge,
  applyTo: applyToChallenge,
}
