import type { Submission, Team, TeamMember } from '@community/contract'
import type { PendingCode } from './pending-code.ts'
import { createStore } from './store.ts'

/** A tab of the account settings that other places open. */
export type AccountTab = 'notifications' | 'devices'

/** A dialog that a visitor asked for, which opens once they have signed in. */
export type SignInIntent = (
  | { name: 'createTeam' }
  /** `manage`: for an administrator, with the actions on its members. */
  | { name: 'team'; teamId: string; manage?: boolean }
  | { name: 'apply' | 'submit'; challengeId: string }
  | { name: 'createChallenge' }
  | { name: 'editChallenge'; challengeId: string }
  | { name: 'account'; tab?: AccountTab }
) & {
  /** Only this user continues: somebody else may sign in after their session has ended. */
  userId?: string
}

/** A dialog that opens from several places. app/dialogs.tsx draws it. */
export type OpenDialog =
  | SignInIntent
  /** `sent`: opens at the step for its code. */
  | {
      name: 'auth'
      mode: 'login' | 'register' | 'forgot'
      email?: string
      intent?: SignInIntent | undefined
      sent?: PendingCode
    }
  | { name: 'signInPrompt'; reason?: string; intent?: SignInIntent | undefined }
  /** `member` leaves the team, is removed, or, as its chef, transfers it. */
  | { name: 'teamAction'; team: Team; action: 'leave' | 'transfer' | 'remove'; member: TeamMember }
  | { name: 'webhooks'; team: Team }
  /** Submits a rejected application again. */
  | { name: 'reapply'; application: Submission; isChef: boolean }

export const useOpenDialog = createStore<OpenDialog | null>(null)

/** Opens a dialog in place of the one that is open: `openDialog({ name: 'team', teamId })`. */
export const openDialog = (dialog: OpenDialog): void => useOpenDialog.setState(dialog, true)

/** Closes this dialog, but not one that has replaced it. */
export function closeDialog(dialog: OpenDialog): void {
  if (useOpenDialog.getState() === dialog) useOpenDialog.setState(null, true)
}
