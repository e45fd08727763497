import type { DomainUseCases } from '../trpc.ts'
import { listRoles } from './list-roles.ts'

export const rolesUseCases: DomainUseCases<'roles'> = { list: listRoles }
