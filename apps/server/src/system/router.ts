import type { DomainUseCases } from '../trpc/init.ts'
import { getPublicSettings } from './get-public-settings.ts'

export const systemUseCases: DomainUseCases<'system'> = { settings: getPublicSettings }
