import {
  type AppContract,
  Challenge,
  Dashboard,
  LeaderboardRow,
  type Output,
  Profile,
  Role,
  SignInResult,
  SiteSettings,
  Submission,
  Team,
  TeamCard,
  TeamMember,
} from '@community/contract'
import { exampleOf } from './example-of.ts'

/** The server time in `publicSettings()`. */
export const SERVER_NOW = '2026-11-01T10:00:00.000Z'
const DAY_MS = 86_400_000

/** The instant `days` after `SERVER_NOW`. */
export const inDays = (days: number): string => new Date(Date.parse(SERVER_NOW) + days * DAY_MS).toISOString()

/** A deterministic id. */
const numberedId = (series: string, number: number): string =>
  `00000000-0000-4000-${series}-${String(number).padStart(12, '0')}`
const idFields = (id: string) => ({ id, _id: id })
const userId = (number: number) => numberedId('8000', number)
const submissionId = (number: number) => numberedId('9000', number)

/** A member's own profile. */
export const aUser = (overrides: Partial<Profile> = {}): Profile => ({
  ...exampleOf(Profile),
  ...idFields(userId(1)),
  name: 'Sara El Amrani',
  email: 'sara@example.ma',
  role: 'member',
  createdAt: SERVER_NOW,
  language: 'en',
  hasPassword: true,
  ...overrides,
})

/** The response with a member's dashboard. */
export const aDashboard = (overrides: Partial<Dashboard> = {}): { dashboard: Dashboard } => ({
  dashboard: { ...exampleOf(Dashboard), user: aUser(), teams: [], submissions: [], ...overrides },
})

/** The result of a sign-in. */
export const aSignIn = (overrides: Partial<Profile> = {}): SignInResult => ({
  ...exampleOf(SignInResult),
  user: aUser(overrides),
  token: 'token',
  refreshToken: 'refresh-token-of-twenty',
})

export const aRole = (number: number, name: string, category: Role['category'] = 'Development'): Role => ({
  ...exampleOf(Role),
  ...idFields(userId(100 + number)),
  name,
  emoji: '🎨',
  description: '',
  category,
})
/** The roles that `aTeam` needs. */
export const ROLES = [aRole(1, 'Frontend Developer'), aRole(2, 'UX Designer', 'Design')]

/** A membership; each number has its own account. */
export const aMember = (number: number, overrides: Partial<TeamMember> = {}): TeamMember => ({
  ...exampleOf(TeamMember),
  id: userId(500 + number),
  userId: userId(10 + number),
  name: `Member ${number}`,
  accountName: overrides.name ?? `Member ${number}`,
  isAccountEmail: true,
  email: `member${number}@example.ma`,
  phone: '0612345678',
  github: 'https://github.com/someone',
  experience: 'Advanced',
  joinedAt: new Date(Date.parse(SERVER_NOW) + number).toISOString(),
  ...overrides,
})

/** A team as visitors see it. */
export const aTeamCard = (number: number, name: string, overrides: Partial<TeamCard> = {}): TeamCard => ({
  ...exampleOf(TeamCard),
  ...idFields(userId(1000 + number)),
  name,
  isActive: true,
  maxMembers: 5,
  rolesNeeded: ROLES.map(({ id, name: role, emoji }) => ({ id, name: role, emoji })),
  createdAt: SERVER_NOW,
  ...overrides,
})

/** A team as signed-in people see it: four members, the first its chef, unless `members` says otherwise. */
export function aTeam(number: number, name: string, overrides: Partial<Team> = {}): Team {
  const members = overrides.members ?? [aMember(1, { isChef: true }), aMember(2), aMember(3), aMember(4)]
  return {
    ...exampleOf(Team),
    ...aTeamCard(number, name),
    description: 'We build small, useful things.',
    ownerId: members[0]?.userId ?? null,
    points: 1240,
    challengesCompleted: 3,
    memberCount: members.length,
    experience: 'Intermediate',
    ...overrides,
    members,
  }
}

/** An open challenge with ten days left. */
export const aChallenge = (number: number, overrides: Partial<Challenge> = {}): Challenge => ({
  ...exampleOf(Challenge),
  ...idFields(submissionId(number)),
  title: `Challenge ${number}`,
  description: 'Build it.',
  requirements: ['Works offline', 'Two languages', 'A licence'],
  deadline: inDays(10),
  points: 200,
  category: 'Web Development',
  difficulty: 'Intermediate',
  maxSubmissions: 1,
  isActive: true,
  submissionCount: 2,
  createdAt: inDays(-5),
  ...overrides,
})

/** A pending submission of a link. */
export const aSubmission = (number: number, overrides: Partial<Submission> = {}): Submission => ({
  ...exampleOf(Submission),
  ...idFields(submissionId(700 + number)),
  challengeId: { ...idFields(submissionId(1)), title: 'Challenge 1', points: 200 },
  teamId: { ...idFields(submissionId(900)), name: 'Atlas Lions' },
  submittedBy: { id: submissionId(800), name: 'Sara El Amrani', email: 'sara@example.ma' },
  type: 'link',
  content: 'https://github.com/atlas-lions/tram',
  metadata: { submissionNotes: '' },
  status: 'pending',
  createdAt: inDays(-1),
  resubmittedAt: null,
  ...overrides,
})

/** A row of the leaderboard. */
export const aStanding = (
  rank: number,
  name: string,
  points: number,
  overrides: Partial<LeaderboardRow> = {},
): LeaderboardRow => ({
  ...exampleOf(LeaderboardRow),
  ...idFields(submissionId(300 + rank)),
  rank,
  name,
  challengesCompleted: 2,
  points,
  ...overrides,
})

/** The pagination of a page in a list of `total` rows. */
export const aPagination = (total: number, page = 1, limit = 24) => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  nextCursor: null,
})

/** The position of the last page of a list without page numbers. */
export const aCursorPagination = () => ({ limit: 100, nextCursor: null })

type PublicSettings = Output<AppContract['system']['settings']>

/** The public settings of the site. */
export const publicSettings = (overrides: Partial<PublicSettings['settings']> = {}): PublicSettings => ({
  settings: {
    ...exampleOf(SiteSettings),
    teamCreationEnabled: true,
    serverTime: SERVER_NOW,
    links: {
      ...exampleOf(SiteSettings).links,
      chatGroup: 'https://chat.example.ma',
      chatServer: 'https://talk.example.ma',
      supportEmail: 'help@example.ma',
    },
    ...overrides,
  },
})
