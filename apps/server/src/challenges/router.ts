import type { DomainUseCases } from '../trpc/init.ts'
import { listReminders, remind, stopReminding } from '../notifications/reminders.ts'
import { applyToChallenge } from './apply-to-challenge.ts'
import { listChallengeSubmissions } from './list-challenge-submissions.ts'
import { listMyTeamApplications } from './list-my-team-applications.ts'
import { submitProject } from './submit-project.ts'
import { getChallenge } from './get-challenge.ts'
import { listByCategory, listByDifficulty, listChallenges, listOpenChallenges } from './list-challenges.ts'

export const challengesUseCases: DomainUseCases<'challenges'> = {
  list: listChallenges,
  active: listOpenChallenges,
  byCategory: listByCategory,
  byDifficulty: listByDifficulty,
  myTeamApplications: listMyTeamApplications,
  get: getChallenge,
  applyTo: applyToChallenge,
  submissions: listChallengeSubmissions,
  submit: submitProject,
  reminders: listReminders,
  remind,
  stopReminding,
}
