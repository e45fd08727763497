import type { DomainUseCases } from '../trpc/init.ts'
import { cancelImport, getImport, startImport } from '../data-export/import/imports.ts'
import { announce, cancelAnnouncement, countRecipients, listAnnouncements } from '../notifications/announcements.ts'
import { ban, unban } from './ban.ts'
import { addToBlacklist, removeFromBlacklist } from './change-blacklist.ts'
import { activateChallenge, deactivateChallenge, updateChallenge } from './change-challenges.ts'
import { activateTeam, deactivateTeam, deleteTeamAsAdmin, removeTeamMemberAsAdmin, renameTeam } from './change-teams.ts'
import { cleanupTeams } from './cleanup-teams.ts'
import { createChallenge } from './create-challenge.ts'
import { deleteChallenge } from './delete-challenge.ts'
import { deleteUser } from './delete-user.ts'
import { getSettings } from './get-settings.ts'
import { getStats } from './get-stats.ts'
import { listChallenges } from './list-challenges.ts'
import { listMails } from './list-mails.ts'
import { retryMail } from './retry-mail.ts'
import { listAudit, listBlacklist, listWarnings } from './moderation-lists.ts'
import { setPage } from './set-page.ts'
import { setRole } from './set-role.ts'
import { setTeamCreation } from './set-team-creation.ts'
import { revokeWarning } from './revoke-warning.ts'
import { warn } from './warn.ts'

export const adminUseCases: DomainUseCases<'admin'> = {
  // The password is already verified.
  verifyPassword: async () => ({}),
  settings: getSettings,
  setTeamCreation,
  setPage,
  listChallenges,
  createChallenge,
  mails: listMails,
  retryMail,
  archiveImport: getImport,
  startImport,
  cancelImport,
  announcements: listAnnouncements,
  countRecipients,
  announce,
  cancelAnnouncement,
  warnings: listWarnings,
  warn,
  takeWarningBack: revokeWarning,
  ban,
  unban,
  deleteUser,
  setRole,
  blacklist: listBlacklist,
  addToBlacklist,
  removeFromBlacklist,
  stats: getStats,
  audit: listAudit,
  deleteTeam: deleteTeamAsAdmin,
  removeTeamMember: removeTeamMemberAsAdmin,
  renameTeam,
  activateTeam,
  deactivateTeam,
  cleanupTeams,
  updateChallenge,
  deleteChallenge,
  activateChallenge,
  deactivateChallenge,
}
