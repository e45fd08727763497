import type { DomainUseCases } from '../trpc/init.ts'
import { getPage } from './get-page.ts'
import { getPublicSettings } from './get-public-settings.ts'

export const systemUseCases: DomainUseCases<'system'> = { page: getPage, settings: getPublicSettings }
