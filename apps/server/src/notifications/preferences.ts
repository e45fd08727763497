import type { contract, Output, ParsedInput } from '@community/contract'
import { inTransaction, type Reader } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { lockActiveUser } from '../users/lock-user.ts'
import { upsertPreferences, upsertSettings } from './inbox-commands.ts'
import { findPreferences, findSettings } from './queries.ts'
import { toPreferences, toSettings } from './views.ts'

type Routes = typeof contract.notifications

async function loadPreferences(db: Reader, userId: string): Promise<Output<Routes['preferences']>> {
  const [changed, settings] = await Promise.all([findPreferences(db, { userId }), findSettings(db, userId)])
  return { preferences: toPreferences(changed), settings: toSettings(settings) }
}

export const getPreferences = ({ db, user }: AuthenticatedContext): Promise<Output<Routes['preferences']>> =>
  loadPreferences(db, user.id)

/** Changes what the input names. The account is locked, so that concurrent changes of other fields are kept. */
export function setPreferences(
  { db, user }: AuthenticatedContext,
  { preferences = [], settings }: ParsedInput<Routes['setPreferences']>,
): Promise<Output<Routes['setPreferences']>> {
  return inTransaction(db, async (tx) => {
    await lockActiveUser(tx, user.id, 'no key update')
    await upsertPreferences(tx, user.id, preferences)
    const { digestHour, digestWeekday, quietHours, timeZone } = settings ?? {}
    if (settings) {
      const before = toSettings(await findSettings(tx, user.id))
      await upsertSettings(tx, user.id, {
        digestHour: digestHour ?? before.digestHour,
        digestWeekday: digestWeekday ?? before.digestWeekday,
        quietHours: quietHours === undefined ? before.quietHours : quietHours,
        timeZone: timeZone ?? before.timeZone,
      })
    }
    return loadPreferences(tx, user.id)
  })
}
