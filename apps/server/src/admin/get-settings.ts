import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findSettings } from '../system/queries.ts'

/** The community's settings, for administrators. */
export const getSettings: UseCase<typeof contract.admin.settings> = async ({ db }) => {
  const { teamCreationEnabled } = await findSettings(db)
  return { settings: { teamCreationEnabled } }
}
