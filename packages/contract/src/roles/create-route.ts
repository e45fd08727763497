import { z } from 'zod'
import { duplicateRole } from '../faults.ts'
import { route } from '../route.ts'
import { Role, RoleInput } from './schemas.ts'

export const createRole = route('POST /roles', {
  access: 'admin',
  creates: true,
  summary: 'Add a role that teams may need',
  input: RoleInput,
  output: z.object({ role: Role }),
  done: 'Role created successfully',
  faults: { duplicateRole },
})
