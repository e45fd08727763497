import { appErrors, type contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockActiveUser } from '../users/lock-user.ts'
import { isUrlAllowed } from '../webhooks/check-webhook.ts'
import { deletePushSubscription, lockActiveFamily, upsertPushSubscription } from './push-commands.ts'
import { findPushEndpoint } from './push-queries.ts'

export const getPush: UseCase<typeof contract.notifications.push> = async ({ db, deps, user }) => {
  const endpoint = await findPushEndpoint(db, user.familyId)
  return { publicKey: deps.config.push?.publicKey ?? null, endpoint: endpoint ?? null }
}

export const subscribePush: UseCase<typeof contract.notifications.subscribePush> = async (
  { db, deps, user },
  input,
) => {
  if (!deps.config.push) throw new AppError(appErrors.pushUnavailable)
  if (!isUrlAllowed(input.endpoint, deps.config)) throw new AppError(appErrors.pushAddressPrivate)
  await inTransaction(db, async (tx) => {
    // Locks the account first, like sign-ins and deletions.
    await lockActiveUser(tx, user.id, 'share')
    if (!(await lockActiveFamily(tx, user.familyId))) throw new AppError(appErrors.notSignedIn)
    await upsertPushSubscription(tx, { familyId: user.familyId, userId: user.id }, input)
  })
  return {}
}

export const unsubscribePush: UseCase<typeof contract.notifications.unsubscribePush> = async ({ db, user }) => {
  await inTransaction(db, (tx) => deletePushSubscription(tx, user.familyId))
  return {}
}
