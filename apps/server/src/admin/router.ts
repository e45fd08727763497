import type { DomainUseCases } from '../trpc.ts'
import { createChallenge } from './create-challenge.ts'
import { getSettings } from './get-settings.ts'
import { listChallenges } from './list-challenges.ts'
import { listMails } from './list-mails.ts'
import { retryMail } from './retry-mail.ts'
import { setTeamCreation } from './set-team-creation.ts'

export const adminUseCases: DomainUseCases<'admin'> = {
  // The gate has compared the password already.
  verifyPassword: () => null,
  settings: getSettings,
  setTeamCreation,
  listChallenges,
  createChallenge,
  mails: listMails,
  retryMail,
}
