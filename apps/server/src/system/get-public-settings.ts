import type { contract, Output } from '@community/contract'
import type { Context } from '../context.ts'
import { findSettings } from './queries.ts'

/** The settings that the web app needs before sign-in. */
export async function getPublicSettings({ db, deps }: Context): Promise<Output<typeof contract.system.settings>> {
  const { teamCreationEnabled, serverTime } = await findSettings(db)
  return {
    settings: {
      appName: deps.config.appName,
      teamCreationEnabled,
      externalSignIn: deps.identityProvider !== null,
      serverTime: serverTime.toISOString(),
      links: deps.config.links,
    },
  }
}
