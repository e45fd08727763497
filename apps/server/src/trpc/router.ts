import { contract } from '@community/contract'
import { adminUseCases } from '../admin/router.ts'
import { authUseCases } from '../auth/router.ts'
import { challengesUseCases } from '../challenges/router.ts'
import { notificationsUseCases } from '../notifications/router.ts'
import { rolesUseCases } from '../roles/router.ts'
import { submissionsUseCases } from '../submissions/router.ts'
import { systemUseCases } from '../system/router.ts'
import { teamsUseCases } from '../teams/router.ts'
import { usersUseCases } from '../users/router.ts'
import { webhooksUseCases } from '../webhooks/router.ts'
import { createRouter } from './init.ts'

export const router = createRouter(contract, {
  auth: authUseCases,
  users: usersUseCases,
  roles: rolesUseCases,
  teams: teamsUseCases,
  challenges: challengesUseCases,
  submissions: submissionsUseCases,
  webhooks: webhooksUseCases,
  notifications: notificationsUseCases,
  admin: adminUseCases,
  system: systemUseCases,
})
