import { openDialog } from '../../lib/dialogs.ts'
import { emit } from '../../lib/events.ts'
import { currentUser } from '../../lib/session.ts'

/** Opens a team; visitors sign in first. */
export function openTeam(teamId: string): void {
  const dialog = { name: 'team', teamId } as const
  if (currentUser()) openDialog(dialog)
  else emit('openAuthModal', { mode: 'login', intent: dialog })
}
