import { defineError } from './define-error.ts'

export const teamMissing = defineError(404, 'TEAM_MISSING', 'Team not found')
export const teamFull = defineError(409, 'TEAM_FULL', 'This team is full')
export const teamInactive = defineError(409, 'TEAM_INACTIVE', 'This team is not active')
export const alreadyMember = defineError(409, 'ALREADY_MEMBER', 'You are already a member of this team')
export const adminsCannotJoin = defineError(403, 'ADMINS_CANNOT_JOIN', 'Administrators cannot join teams')
export const adminsCannotCreate = defineError(403, 'ADMINS_CANNOT_CREATE', 'Administrators cannot create teams')
export const roleNotNeeded = defineError(400, 'ROLE_NOT_NEEDED', 'Please select a valid role', { path: 'role' })
export const roleUnknown = defineError(400, 'ROLE_UNKNOWN', 'Please select a valid role', { path: 'rolesNeeded' })
export const duplicateName = defineError(409, 'DUPLICATE_NAME', 'A team with this name already exists', {
  path: 'name',
})
export const teamCreationOff = defineError(403, 'TEAM_CREATION_DISABLED', 'Team creation is disabled')
export const notAMember = defineError(403, 'NOT_A_MEMBER', 'You are not a member of this team')
export const chefOnly = defineError(403, 'CHEF_ONLY', 'Only the team chef can do this')

export const memberMissing = defineError(404, 'MEMBER_MISSING', 'This person is not a member of the team')
export const newOwnerMissing = defineError(404, 'NEW_OWNER_MISSING', 'New owner not found in team members', {
  path: 'newOwnerId',
})
export const newOwnerRequired = defineError(
  409,
  'NEW_OWNER_REQUIRED',
  'Choose the new chef, or let the oldest member take over',
  { path: 'newOwnerId' },
)
export const lastMember = defineError(409, 'LAST_MEMBER', 'You are the only member. Leave or delete the team instead.')
export const alreadyChef = defineError(409, 'ALREADY_CHEF', 'This member is already the chef')
export const teamSmallerThanMembers = defineError(
  409,
  'TEAM_SMALLER_THAN_MEMBERS',
  'The team has more members than that',
  {
    path: 'maxMembers',
  },
)
export const adminsReactivate = defineError(403, 'ADMINS_REACTIVATE', 'Only an administrator can reactivate a team')
export const teamEmpty = defineError(409, 'TEAM_EMPTY', 'A team without members cannot be active')
export const duplicateRole = defineError(409, 'DUPLICATE_ROLE', 'A role with this name already exists', {
  path: 'name',
})
