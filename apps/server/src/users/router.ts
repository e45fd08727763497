import { listUserTeams } from '../teams/list-user-teams.ts'
import { createToken } from '../personal-tokens/create-token.ts'
import { listTokens } from '../personal-tokens/list-tokens.ts'
import { revokeToken } from '../personal-tokens/revoke-token.ts'
import type { DomainUseCases } from '../trpc/init.ts'
import { deleteAccount } from './delete-account.ts'
import { getDashboard } from './get-dashboard.ts'
import { getProfile } from './get-profile.ts'
import { getSessionInfo } from './get-session-info.ts'
import { getUser } from './get-user.ts'
import { listOwnSubmissions } from './list-own-submissions.ts'
import { listUsers } from './list-users.ts'
import { updateProfile } from './update-profile.ts'
import { updateUser } from './update-user.ts'

export const usersUseCases: DomainUseCases<'users'> = {
  list: listUsers,
  dashboard: getDashboard,
  submissions: listOwnSubmissions,
  debug: getSessionInfo,
  get: getUser,
  update: updateUser,
  remove: deleteAccount,
  profile: getProfile,
  updateProfile,
  teams: listUserTeams,
  tokens: listTokens,
  createToken,
  revokeToken,
}
