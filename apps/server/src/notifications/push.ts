import { appErrors, type contract, type EmptyData, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { SessionContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockActiveUser } from '../users/lock-user.ts'
import { isUrlAllowed } from '../webhooks/check-webhook.ts'
import { deletePushSubscription, lockActiveFamily, upsertPushSubscription } from './push-commands.ts'
import { findPushEndpoint } from './push-queries.ts'

type Routes = typeof contract.notifications

export async function getPush({ db, deps, user }: SessionContext): Promise<Output<Routes['push']>> {
  const endpoint = await findPushEndpoint(db, user.familyId)
  return { publicKey: deps.config.push?.publicKey ?? null, endpoint: endpoint ?? null }
}

export async function subscribePush(
  { db, deps, user }: SessionContext,
  input: ParsedInput<Routes['subscribePush']>,
): Promise<EmptyData> {
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

export async function unsubscribePush({ db, user }: SessionContext): Promise<EmptyData> {
  await inTransaction(db, (tx) => deletePushSubscription(tx, user.familyId))
  return {}
}
