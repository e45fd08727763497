import { z } from 'zod'
import {
  adminPasswordLocked,
  adminsReactivate,
  alreadyChef,
  chefOnly,
  duplicateName,
  lastMember,
  memberMissing,
  newOwnerMissing,
  newOwnerRequired,
  passwordRequired,
  roleUnknown,
  teamEmpty,
  teamMissing,
  teamSmallerThanMembers,
  wrongPassword,
} from '../faults.ts'
import { Id } from '../primitives.ts'
import { route } from '../route.ts'
import { AdminsOwnPassword, NewOwner, Team, UpdateTeamInput } from './schemas.ts'

/** An administrator may use the chef’s calls on any team, with their own password. */
const chef = { teamMissing, chefOnly, passwordRequired, wrongPassword, adminPasswordLocked }

/** The calls of a team’s chef. */
export const chefRoutes = {
  update: route('PUT /teams/{id}', {
    access: 'member',
    summary: 'Rename, edit or deactivate a team; fields left out stay as they are',
    hashes: true,
    input: UpdateTeamInput,
    output: z.object({ team: Team }),
    done: 'Team updated',
    faults: { ...chef, duplicateName, roleUnknown, teamSmallerThanMembers, adminsReactivate, teamEmpty },
  }),
  remove: route('DELETE /teams/{id}', {
    access: 'member',
    summary: 'Delete a team with its submissions, files and points',
    hashes: true,
    input: z.object({ id: Id, ...AdminsOwnPassword }),
    done: 'Team deleted successfully',
    faults: chef,
  }),
  removeMember: route('DELETE /teams/{id}/members/{userId}', {
    access: 'member',
    summary: 'Take a member out; a chef who takes themself out among several says who follows',
    hashes: true,
    input: z.object({ id: Id, userId: Id, ...NewOwner, ...AdminsOwnPassword }),
    output: z.object({ team: Team }),
    done: 'Member removed',
    faults: { ...chef, memberMissing, newOwnerRequired, newOwnerMissing, lastMember },
  }),
  transferOwnership: route('POST /teams/{id}/transfer-ownership', {
    access: 'member',
    summary: 'Make another member the chef',
    hashes: true,
    input: z.object({ id: Id, newOwnerId: Id, ...AdminsOwnPassword }),
    output: z.object({ team: Team }),
    done: 'Ownership transferred',
    faults: { ...chef, newOwnerMissing, alreadyChef },
  }),
}
