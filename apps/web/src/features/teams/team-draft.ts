import type { CreateTeamForm } from '@community/contract'
import { tabStore } from '../../lib/storage.ts'
import { emptyForm, type Step } from './create-team-form.ts'

const STORAGE_KEY = 'teamDraft'

export interface TeamDraft {
  /** Who typed it; null for a visitor, whose draft goes to whoever signs in next. */
  userId: string | null
  step: Step
  values: CreateTeamForm
}

/** Keeps the draft for this tab, until the team is created. */
export function saveDraft(draft: TeamDraft): void {
  tabStore.writeJson(STORAGE_KEY, draft)
}

export function deleteDraft(): void {
  tabStore.drop(STORAGE_KEY)
}

/** What was kept for this person; null when nothing was, or it is somebody else's. */
export function loadDraft(userId: string | null): TeamDraft | null {
  // Written by `keepDraft` alone; an older shape is filled up with the empty form's fields.
  const draft = tabStore.readJson(STORAGE_KEY) as TeamDraft | null
  if (!draft || (draft.userId !== null && draft.userId !== userId)) return null
  const empty = emptyForm(null)
  const userInfo = { ...empty.userInfo, ...draft.values.userInfo }
  return { ...draft, values: { ...empty, ...draft.values, userInfo } }
}
