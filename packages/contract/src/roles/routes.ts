import { z } from 'zod'
import { duplicateRole } from '../error-catalogue.ts'
import { ROLES_MAX } from '../limits.ts'
import { route } from '../route.ts'
import { Role, RoleInput } from './schemas.ts'

export const roles = {
  list: route('GET /roles', {
    access: 'visitor',
    cached: 'by role',
    summary: 'All roles a team may need',
    description: `Use their \`id\` in \`rolesNeeded\` and when you join a team. The list changes rarely: cache it, and send its \`ETag\`. Not paged: at most ${ROLES_MAX}.`,
    output: z.object({ roles: z.array(Role) }),
  }),
  create: route('POST /roles', {
    access: 'admin',
    audits: 'role',
    creates: true,
    summary: 'Add a role that teams may need',
    input: RoleInput,
    output: z.object({ role: Role }),
    successMessage: 'Role created successfully',
    errors: { duplicateRole },
  }),
}
