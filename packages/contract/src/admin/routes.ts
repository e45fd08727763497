import { z } from 'zod'
import { deadlineTooSoon } from '../error-catalogue.ts'
import { Challenge, CHALLENGE_SORTS, ChallengeInput, ChallengeListInput } from '../challenges/schemas.ts'
import { DEADLINE_LEAD, MINUTE, PAGE_TEXT_LENGTH_MAX } from '../limits.ts'
import { AdminPassword, Pagination, text } from '../primitives.ts'
import { route } from '../route.ts'
import { searchErrors } from '../search.ts'
import { PageName } from '../system/routes.ts'
import { Language } from '../users/schemas.ts'
import { announcementRoutes } from '../notifications/announcement-routes.ts'
import { adminChallengeRoutes } from './challenge-routes.ts'
import { importRoutes } from './import-routes.ts'
import { moderationRoutes } from './moderation-routes.ts'
import { adminTeamRoutes } from './team-routes.ts'
import { mailRoutes } from './mail-routes.ts'
import { ChallengeTotals, PasswordConfirmation } from './schemas.ts'

export const Settings = z.object({ teamCreationEnabled: z.boolean() }).meta({ id: 'Settings' })

export const admin = {
  verifyPassword: route('POST /admin/verify-password', {
    access: 'admin',
    sessionOnly: true,
    requiresAdminPassword: true,
    summary: 'Check the caller’s own password',
    input: z.object({ password: AdminPassword.describe('The caller’s own password') }),
    successMessage: 'Password verified',
  }),
  settings: route('GET /admin/settings', {
    access: 'admin',
    summary: 'The administrators’ settings',
    output: z.object({ settings: Settings }),
  }),
  setTeamCreation: route('PUT /admin/settings/team-creation', {
    access: 'admin',
    audits: 'settings',
    requiresAdminPassword: true,
    summary: 'Switch the creation of teams on or off',
    input: z.object({ enabled: z.boolean(), ...PasswordConfirmation }),
    output: z.object({ settings: Settings }),
    successMessage: 'Team creation enabled or disabled successfully',
  }),
  setPage: route('PUT /admin/pages/{page}', {
    access: 'admin',
    audits: 'settings',
    beyondSpecification: true,
    requiresAdminPassword: true,
    summary: 'Write the privacy or terms page in one language',
    description: 'Markdown; HTML in it is shown as text. An empty text restores the default one.',
    input: z.object({
      page: PageName,
      language: Language,
      markdown: text().max(PAGE_TEXT_LENGTH_MAX).meta({ example: '# Privacy' }),
      ...PasswordConfirmation,
    }),
    successMessage: 'Page saved',
  }),
  listChallenges: route('GET /admin/challenges', {
    access: 'admin',
    summary: 'All challenges, including inactive ones',
    description: '`totals` covers all challenges, whatever the filters are.',
    input: ChallengeListInput.extend({
      isOpen: z
        .boolean()
        .optional()
        .describe('Only those that accept applications, which `totals` counts as active, or only the others'),
      sort: z
        .enum(CHALLENGE_SORTS)
        .default('deadline')
        .describe('What they are sorted by; `deadline` is open ones first'),
    }),
    output: z.object({
      challenges: z.array(Challenge),
      totals: ChallengeTotals.describe('Of all challenges, regardless of the filters'),
      pagination: Pagination,
    }),
    errors: searchErrors,
  }),
  createChallenge: route('POST /admin/challenges', {
    access: 'admin',
    audits: 'challenge',
    requiresAdminPassword: true,
    creates: true,
    summary: 'Create a challenge',
    description: `The deadline must be at least ${DEADLINE_LEAD / MINUTE} minutes from now. At least one requirement must not be blank; blank entries of lists are dropped.`,
    input: ChallengeInput.extend(PasswordConfirmation),
    output: z.object({ challenge: Challenge }),
    successMessage: 'Challenge created successfully',
    errors: { deadlineTooSoon },
  }),
  ...mailRoutes,
  ...importRoutes,
  ...announcementRoutes,
  ...moderationRoutes,
  ...adminTeamRoutes,
  ...adminChallengeRoutes,
}
