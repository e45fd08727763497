import { currentUser } from '../../lib/session.ts'
import { tabStore } from '../../lib/storage.ts'
import type { WorkDraft } from './work-form.ts'

const PREFIX = 'workDraft '

/** Files cannot be stored: they are kept in memory until the page is left. */
const files = new Map<string, File>()

const storageKey = (name: string): string => `${PREFIX}${currentUser()?.id ?? ''} ${name}`

/** Stores the values of a form for this user and this tab until they are submitted. */
export function saveDraft(name: string, { file, ...texts }: WorkDraft): void {
  const key = storageKey(name)
  if (file) files.set(key, file)
  else files.delete(key)
  tabStore.writeJson(key, texts)
}

export function deleteDraft(name: string): void {
  files.delete(storageKey(name))
  tabStore.remove(storageKey(name))
}

/** The stored draft; null if there is none. After a reload its file is null. */
export function loadDraft(name: string): Partial<WorkDraft> | null {
  const key = storageKey(name)
  // Only `saveDraft` writes this key.
  const texts = tabStore.readJson(key) as Omit<WorkDraft, 'file'> | null
  return texts && { ...texts, file: files.get(key) ?? null }
}

/** Whether a link, a file or notes have been entered. */
export const hasContent = ({ link = '', file = null, notes = '' }: Partial<WorkDraft>): boolean =>
  file !== null || link.trim() !== '' || notes.trim() !== ''
