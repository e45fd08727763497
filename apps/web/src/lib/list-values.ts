import { currentUser } from './session.ts'
import { tabStore } from './storage.ts'

/** Search, page, filters and order of a list, as stored: check each value. */
export type ListValues = Record<string, unknown>

const keyOf = (list: string) => `list ${list} ${currentUser()?.id ?? ''}`

/** What this tab keeps of a list for the signed-in user. */
export function readListValues(list: string): ListValues {
  const stored = tabStore.readJson(keyOf(list))
  return typeof stored === 'object' && stored !== null ? { ...stored } : {}
}

/** Stores what the list shows when it is opened next; what is left out is its initial value. */
export const storeListValues = (list: string, values: ListValues): void => tabStore.writeJson(keyOf(list), values)
