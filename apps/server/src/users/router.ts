import { listUserTeams } from '../teams/list-user-teams.ts'
import type { DomainUseCases } from '../trpc.ts'
import { getProfile } from './get-profile.ts'
import { updateProfile } from './update-profile.ts'

export const usersUseCases: DomainUseCases<'users'> = { profile: getProfile, updateProfile, teams: listUserTeams }
