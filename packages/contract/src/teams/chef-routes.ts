import { z } from 'zod'
import {
  adminsReactivate,
  alreadyChef,
  chefOnly,
  duplicateName,
  lastMember,
  memberMissing,
  newOwnerMissing,
  newOwnerRequired,
  roleUnknown,
  teamEmpty,
  teamMissing,
  teamSmallerThanMembers,
} from '../error-catalogue.ts'
import { OptionalAdminPassword, optionalAdminPasswordErrors } from '../optional-admin-password.ts'
import { Id } from '../primitives.ts'
import { route } from '../route.ts'
import { NewOwner, Team, UpdateTeamInput } from './schemas.ts'

/** Administrators may call these for any team, with their own password. */
const chefErrors = { teamMissing, chefOnly, ...optionalAdminPasswordErrors }

/** Procedures of a team's chef. */
export const chefRoutes = {
  update: route('PUT /teams/{id}', {
    access: 'member',
    audits: 'team',
    summary: 'Rename, edit or deactivate a team; omitted fields keep their value',
    description:
      'For the team’s chef, and for administrators with their own `password`. Only administrators reactivate a team.',
    hashesPassword: true,
    input: UpdateTeamInput,
    output: z.object({ team: Team }),
    successMessage: 'Team updated',
    errors: { ...chefErrors, duplicateName, roleUnknown, teamSmallerThanMembers, adminsReactivate, teamEmpty },
  }),
  remove: route('DELETE /teams/{id}', {
    access: 'member',
    audits: 'team',
    summary: 'Delete a team with its submissions, files and points',
    description: 'For the team’s chef, and for administrators with their own `password`.',
    hashesPassword: true,
    input: z.object({ id: Id, ...OptionalAdminPassword }),
    successMessage: 'Team deleted successfully',
    errors: chefErrors,
  }),
  removeMember: route('DELETE /teams/{id}/members/{userId}', {
    access: 'member',
    audits: 'team',
    summary: 'Remove a member; chefs who remove themselves name the next chef if several members remain',
    description:
      'For the team’s chef, and for administrators with their own `password`. A chef who leaves among several members sends `newOwnerId`, or `autoAssign: true`.',
    hashesPassword: true,
    input: z.object({ id: Id, userId: Id, ...NewOwner, ...OptionalAdminPassword }),
    output: z.object({ team: Team }),
    successMessage: 'Member removed',
    errors: { ...chefErrors, memberMissing, newOwnerRequired, newOwnerMissing, lastMember },
  }),
  transferOwnership: route('POST /teams/{id}/transfer-ownership', {
    access: 'member',
    audits: 'team',
    summary: 'Make another member the chef',
    description: 'For the team’s chef, and for administrators with their own `password`.',
    hashesPassword: true,
    input: z.object({ id: Id, newOwnerId: Id, ...OptionalAdminPassword }),
    output: z.object({ team: Team }),
    successMessage: 'Ownership transferred',
    errors: { ...chefErrors, newOwnerMissing, alreadyChef },
  }),
}
