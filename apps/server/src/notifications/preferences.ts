import type { contract, Output, ParsedInput } from '@community/contract'
import { inTransaction, type Reader, type Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { lockActiveUser } from '../users/lock-user.ts'
import { resumeMails } from './bounce-commands.ts'
import { upsertPreferences, upsertSettings } from './inbox-commands.ts'
import { findPreferences, findSettings } from './queries.ts'
import { toPreferences, toSettings } from './views.ts'

type Routes = typeof contract.notifications
type Preferences = Output<Routes['preferences']>

export async function loadPreferences(db: Reader, userId: string): Promise<Preferences> {
  const [changed, settings] = await Promise.all([findPreferences(db, { userId }), findSettings(db, userId)])
  return {
    preferences: toPreferences(changed),
    settings: toSettings(settings),
    mailPausedAt: settings?.mailPausedAt?.toISOString() ?? null,
  }
}

/** Stores the given changes. Lock the account first, so that concurrent changes of other fields are kept. */
export async function savePreferences(
  tx: Tx,
  userId: string,
  { preferences = [], settings }: ParsedInput<Routes['setPreferences']>,
): Promise<Preferences> {
  await upsertPreferences(tx, userId, preferences)
  if (settings) {
    const { digestHour, digestWeekday, quietHours, timeZone } = settings
    const before = toSettings(await findSettings(tx, userId))
    await upsertSettings(tx, userId, {
      digestHour: digestHour ?? before.digestHour,
      digestWeekday: digestWeekday ?? before.digestWeekday,
      quietHours: quietHours === undefined ? before.quietHours : quietHours,
      timeZone: timeZone ?? before.timeZone,
    })
  }
  return loadPreferences(tx, userId)
}

export const getPreferences: UseCase<typeof contract.notifications.preferences> = ({ db, user }) =>
  loadPreferences(db, user.id)

export const setPreferences: UseCase<typeof contract.notifications.setPreferences> = ({ db, user }, changes) =>
  inTransaction(db, async (tx) => {
    await lockActiveUser(tx, user.id, 'no key update')
    return savePreferences(tx, user.id, changes)
  })

export const resumeMail: UseCase<typeof contract.notifications.resumeMail> = ({ db, user }) =>
  inTransaction(db, async (tx) => {
    await resumeMails(tx, user.id)
    return {}
  })
