import type { Profile, Role, SignedIn, Team, TeamCard, TeamMember } from '@community/contract'
import { storeSession } from '../src/lib/session.ts'

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const AT = '2026-11-01T10:00:00.000Z'

/** A profile as the server answers it. */
export const aUser = (own: Partial<Profile> = {}): Profile => ({
  id: id(1),
  _id: id(1),
  name: 'Sara El Amrani',
  email: 'sara@example.ma',
  role: 'member',
  avatarUrl: null,
  isBanned: false,
  banReason: null,
  warnings: 0,
  createdAt: AT,
  phone: null,
  github: null,
  instagram: null,
  portfolio: null,
  bio: null,
  experience: null,
  language: 'en',
  signInOtp: false,
  hasPassword: true,
  ...own,
})

export const aSignIn = (own: Partial<Profile> = {}): SignedIn => ({
  user: aUser(own),
  token: 'token',
  refreshToken: 'refresh-token-of-twenty',
})

/** Signs somebody in, as if they had come back to the page. */
export function signIn(own: Partial<Profile> = {}): Profile {
  const session = aSignIn(own)
  storeSession(session)
  return session.user
}

export const aRole = (number: number, name: string, category: Role['category'] = 'Development'): Role => ({
  id: id(100 + number),
  _id: id(100 + number),
  name,
  emoji: '🎨',
  description: '',
  category,
  requirements: [],
})
export const ROLES = [aRole(1, 'Frontend Developer'), aRole(2, 'UX Designer', 'Design')]

export const aMember = (number: number, own: Partial<TeamMember> = {}): TeamMember => ({
  id: id(500 + number),
  userId: id(10 + number),
  name: `Member ${number}`,
  email: `member${number}@example.ma`,
  phone: '0612345678',
  github: 'https://github.com/someone',
  instagram: null,
  portfolio: null,
  bio: null,
  experience: 'Advanced',
  avatarUrl: null,
  accountName: own.name ?? `Member ${number}`,
  isAccountEmail: true,
  role: null,
  isChef: false,
  joinedAt: new Date(Date.parse(AT) + number).toISOString(),
  ...own,
})

/** A team as visitors see it. */
export const aTeamCard = (number: number, name: string): TeamCard => ({
  id: id(1000 + number),
  _id: id(1000 + number),
  name,
  isActive: true,
  maxMembers: 5,
  rolesNeeded: ROLES.map((needed) => ({ id: needed.id, name: needed.name, emoji: needed.emoji })),
  createdAt: AT,
})

/** A team as signed-in people see it: five members unless told. */
export function aTeam(number: number, name: string, own: Partial<Team> = {}): Team {
  const members = own.members ?? [aMember(1, { isChef: true }), aMember(2), aMember(3), aMember(4)]
  return {
    ...aTeamCard(number, name),
    description: 'We build small, useful things.',
    ownerId: members[0]?.userId ?? null,
    points: 1240,
    challengesCompleted: 3,
    memberCount: members.length,
    experience: 'Intermediate',
    members,
    ...own,
  }
}

export const aPagination = (total: number, number = 1, limit = 24) => ({
  page: number,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  nextCursor: null,
})

export const publicSettings = (own: { teamCreationEnabled?: boolean; externalSignIn?: boolean } = {}) => ({
  settings: {
    appName: 'Community',
    teamCreationEnabled: true,
    externalSignIn: false,
    serverTime: AT,
    links: {
      chatGroup: 'https://chat.example.ma',
      chatServer: 'https://talk.example.ma',
      supportEmail: 'help@example.ma',
      social: [] as string[],
    },
    ...own,
  },
})
