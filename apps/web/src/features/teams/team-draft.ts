import type { CreateTeamForm } from '@community/contract'
import { tabStore } from '../../lib/storage.ts'
import { initialForm, type Step } from './create-team-form.ts'

const STORAGE_KEY = 'teamDraft'

interface TeamDraft {
  /** The user who typed it; null for a visitor, whose draft is kept when they sign in. */
  userId: string | null
  step: Step
  values: CreateTeamForm
}

/** Stores the draft for this tab until the team is created. */
export function saveDraft(draft: TeamDraft): void {
  tabStore.writeJson(STORAGE_KEY, draft)
}

export function deleteDraft(): void {
  tabStore.remove(STORAGE_KEY)
}

/** The stored draft of this user; null if there is none, or if it is another user's. */
export function loadDraft(userId: string | null): TeamDraft | null {
  // Only `saveDraft` writes this key. Fields missing in an older format come from the empty form.
  const draft = tabStore.readJson(STORAGE_KEY) as TeamDraft | null
  if (!draft || (draft.userId !== null && draft.userId !== userId)) return null
  const empty = initialForm(null)
  const userInfo = { ...empty.userInfo, ...draft.values.userInfo }
  return { ...draft, values: { ...empty, ...draft.values, userInfo } }
}
