import {
  Challenge,
  Dashboard,
  LeaderboardRow,
  Profile,
  Role,
  SignInResult,
  SiteSettings,
  Submission,
  Team,
} from '@community/contract'
import { expect, it } from 'vitest'
import {
  aChallenge,
  aMember,
  aDashboard,
  aRole,
  aSignIn,
  aStanding,
  aSubmission,
  aTeam,
  aUser,
  publicSettings,
} from './entities.ts'

it.each([
  ['user', Profile, aUser()],
  ['dashboard', Dashboard, aDashboard().dashboard],
  ['sign-in', SignInResult, aSignIn()],
  ['role', Role, aRole(1, 'Weaver')],
  ['team', Team, aTeam(1, 'Atlas Lions')],
  ['challenge', Challenge, aChallenge(1)],
  ['submission', Submission, aSubmission(1)],
  ['standing', LeaderboardRow, aStanding(1, 'Atlas Lions', 100)],
  ['settings', SiteSettings, publicSettings().settings],
] as const)('the example %s matches the contract’s schema', (_name, schema, entity) => {
  expect(schema.strict().parse(entity)).toEqual(entity)
})

it('a team counts the members it is given', () => {
  expect(aTeam(1, 'Atlas Lions', { members: [aMember(1)] })).toMatchObject({
    memberCount: 1,
    ownerId: aMember(1).userId,
  })
})

it('an example has null wherever the schema allows it', () => {
  expect(aUser()).toMatchObject({ avatarUrl: null, bio: null, experience: null })
})
