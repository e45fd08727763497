import { z } from 'zod'
import { route } from '../route.ts'
import { Role } from './schemas.ts'

export const roles = {
  list: route('GET /roles', {
    access: 'visitor',
    summary: 'All roles a team may need',
    output: z.object({ roles: z.array(Role) }),
  }),
}
