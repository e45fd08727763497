import { currentUser } from '../../lib/session.ts'
import { tabStore } from '../../lib/storage.ts'
import type { WorkDraft } from './work-form.ts'

const PREFIX = 'workDraft '

/** Files cannot be written down: they are kept while the page lives. */
const files = new Map<string, File>()

const storageKey = (name: string): string => `${PREFIX}${currentUser()?.id ?? ''} ${name}`

/** Keeps what was filled in of a form, for this person and this tab, until it is sent. */
export function saveDraft(name: string, { file, ...texts }: WorkDraft): void {
  const key = storageKey(name)
  if (file) files.set(key, file)
  else files.delete(key)
  tabStore.writeJson(key, texts)
}

export function deleteDraft(name: string): void {
  files.delete(storageKey(name))
  tabStore.drop(storageKey(name))
}

/** What was kept; null when nothing was. A file is null again once the page was loaded anew. */
export function loadDraft(name: string): Partial<WorkDraft> | null {
  const key = storageKey(name)
  // Written by `keepDraft` alone.
  const texts = tabStore.readJson(key) as Omit<WorkDraft, 'file'> | null
  return texts && { ...texts, file: files.get(key) ?? null }
}
