import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findSettings } from './queries.ts'

/** The settings that the web app needs before sign-in. */
export const getPublicSettings: UseCase<typeof contract.system.settings> = async ({ db, deps }) => {
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
