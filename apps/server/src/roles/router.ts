import type { DomainUseCases } from '../trpc/init.ts'
import { createRole } from './create-role.ts'
import { listRoles } from './list-roles.ts'

export const rolesUseCases: DomainUseCases<'roles'> = { list: listRoles, create: createRole }
