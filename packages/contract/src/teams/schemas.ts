import { z } from 'zod'
import {
  MAX_MEMBERS_DEFAULT,
  ROLES_NEEDED_MAX,
  TEAM_DESCRIPTION_LENGTH,
  NAME_LENGTH,
  TEAM_NAME_LENGTH,
  TEAM_SIZE,
} from '../limits.ts'
import {
  contactEmailSchema,
  Count,
  Id,
  ids,
  line,
  minVisible,
  PageSince,
  PersonName,
  Phone,
  text,
  Timestamp,
} from '../primitives.ts'
import { LINE_OF_3, lineOf, textOf } from '../patterns.ts'
import { OptionalAdminPassword } from '../optional-admin-password.ts'
import { ChosenRole, RoleRef } from '../roles/schemas.ts'
import { searchIn } from '../search.ts'
import { Experience, experienceSchema, OptionalLinksAndBio } from '../users/schemas.ts'
import { limitText } from '../registered-messages.ts'

export const TeamMember = z
  .object({
    id: z.uuid(),
    userId: z.uuid(),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    github: z.string().nullable(),
    instagram: z.string().nullable(),
    portfolio: z.string().nullable(),
    bio: z.string().nullable(),
    experience: Experience.nullable(),
    avatarUrl: z.string().nullable(),
    accountName: z
      .string()
      .describe('The name of the member’s account; `name` and the contact fields are those entered when joining'),
    isAccountEmail: z.boolean().describe('`email` is the verified address of the member’s account'),
    role: RoleRef.nullable(),
    isChef: z.boolean(),
    joinedAt: Timestamp,
  })
  .meta({ id: 'TeamMember' })
export type TeamMember = z.output<typeof TeamMember>

/** A team for visitors: without description, figures and members. */
export const TeamCard = z
  .object({
    ...ids,
    name: z.string(),
    isActive: z.boolean(),
    maxMembers: Count,
    rolesNeeded: z.array(RoleRef),
    createdAt: Timestamp,
    updatedAt: Timestamp.describe(
      'When its name, description, size, roles, chef, members, state, points or completed challenges last changed; changes of its members’ accounts do not count',
    ),
  })
  .meta({ id: 'TeamCard' })
export type TeamCard = z.output<typeof TeamCard>

/** A team for signed-in users. */
export const Team = TeamCard.extend({
  description: z.string(),
  ownerId: z.uuid().nullable().describe('The chef; null in a team without members'),
  points: Count,
  challengesCompleted: Count,
  memberCount: Count,
  members: z.array(TeamMember).describe('Chef first, then by joining time'),
  experience: Experience.nullable(),
}).meta({ id: 'Team' })
export type Team = z.output<typeof Team>

/** Full for signed-in users, a card for visitors. */
export const TeamView = z.union([Team, TeamCard])
export type TeamView = z.output<typeof TeamView>

export const TEAM_SORTS = ['name', 'members', 'points', 'challenges'] as const
export const TeamListInput = z.object({
  ...PageSince,
  search: searchIn('the name; for signed-in people also the description'),
  role: Id.optional().describe('Only teams that need this role'),
  sort: z.enum(TEAM_SORTS).default('name').describe('What they are sorted by; visitors cannot sort by members'),
  order: z.enum(['asc', 'desc']).default('asc').describe('The direction of `sort`'),
  includeInactive: z.boolean().default(false).describe('Include inactive teams; administrators only'),
})

const SHORT_NAME = limitText('Team name must be at least {n} characters', TEAM_NAME_LENGTH.min)
export const TeamName = line('Please enter team name')
  .min(1, { error: 'Please enter team name', abort: true })
  .min(TEAM_NAME_LENGTH.min, SHORT_NAME)
  .check(minVisible(TEAM_NAME_LENGTH.min, SHORT_NAME))
  .max(TEAM_NAME_LENGTH.max, limitText('Team name cannot exceed {n} characters', TEAM_NAME_LENGTH.max))
  .meta({ example: 'Atlas Lions', pattern: LINE_OF_3 })
const TeamDescription = text('Please enter team description')
  .min(1, { error: 'Please enter team description', abort: true })
  .min(
    TEAM_DESCRIPTION_LENGTH.min,
    limitText('Description must be at least {n} characters long', TEAM_DESCRIPTION_LENGTH.min),
  )
  .max(TEAM_DESCRIPTION_LENGTH.max, limitText('Description cannot exceed {n} characters', TEAM_DESCRIPTION_LENGTH.max))
  .meta({ pattern: textOf(TEAM_DESCRIPTION_LENGTH.min), example: 'We build tools for craftspeople in the medina.' })

const namePart = (required: string) =>
  line(required).max(NAME_LENGTH.max, limitText('Name must be less than {n} characters', NAME_LENGTH.max))

/** Step 1 of the wizard: the creator's contact details. */
export const CreatorInfo = z.object({
  firstName: namePart('Please enter your full name')
    .min(1, 'Please enter your full name')
    .meta({ pattern: lineOf(1), example: 'Sara' }),
  lastName: namePart('Please enter your full name').default(''),
  email: contactEmailSchema('Please enter your email'),
  phone: Phone,
  ...OptionalLinksAndBio,
  personalExperience: experienceSchema('Please select your experience level'),
  role: ChosenRole.optional().describe('The role the creator takes in the team'),
})

const MaxMembers = z
  .int('Not a valid team size')
  .min(TEAM_SIZE.min, 'Not a valid team size')
  .max(TEAM_SIZE.max, 'Not a valid team size')

export const CreateTeamInput = z.object({
  name: TeamName,
  description: TeamDescription,
  rolesNeeded: z
    .array(ChosenRole, 'Please select at least one role')
    .min(1, 'Please select at least one role')
    .max(ROLES_NEEDED_MAX, 'Please select fewer roles'),
  maxMembers: MaxMembers.default(MAX_MEMBERS_DEFAULT),
  experience: experienceSchema('Please select team experience level'),
  userInfo: CreatorInfo.strict(),
})
export type CreateTeamInput = z.output<typeof CreateTeamInput>

/** The next chef when the chef is removed. */
export const NewOwner = {
  newOwnerId: Id.optional(),
  autoAssign: z.boolean().default(false).describe('Make the longest-standing member the chef'),
}

export const UpdateTeamInput = CreateTeamInput.omit({ userInfo: true })
  .extend({ maxMembers: MaxMembers })
  .partial()
  .extend({ id: Id, isActive: z.boolean().optional(), ...OptionalAdminPassword })
export type UpdateTeamInput = z.output<typeof UpdateTeamInput>

export const JoinTeamInput = z.object({
  id: Id,
  name: PersonName,
  email: contactEmailSchema('Please enter your email'),
  contact: z.string().max(254).optional().describe('The same as email'),
  phone: Phone,
  experience: experienceSchema('Please select your experience level'),
  role: ChosenRole,
  ...OptionalLinksAndBio,
})
export type JoinTeamInput = z.output<typeof JoinTeamInput>
