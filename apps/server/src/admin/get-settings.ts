import type { contract, Output } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { findSettings } from '../system/queries.ts'

/** The community's settings, for administrators. */
export async function getSettings({ db }: AuthenticatedContext): Promise<Output<typeof contract.admin.settings>> {
  const { teamCreationEnabled } = await findSettings(db)
  return { settings: { teamCreationEnabled } }
}
