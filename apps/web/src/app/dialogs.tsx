import { closeDialog, openDialog, useOpenDialog } from '../lib/dialogs.ts'
import { useListen } from '../lib/events.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { LazyDialog } from '../ui/lazy-dialog.tsx'

const DialogOf = lazyWithRetry(() => import('./dialog-of.tsx').then((part) => part.DialogOf))

/** Draws the dialog that `openDialog` or a window event opened. */
export function Dialogs() {
  const open = useOpenDialog()
  useListen('openAuthModal', (detail) => openDialog({ ...detail, name: 'auth', mode: detail?.mode ?? 'login' }))
  useListen('openCreateTeamModal', () => openDialog({ name: 'createTeam' }))
  useListen('openCreateChallengeModal', () => openDialog({ name: 'createChallenge' }))
  useListen('openEditChallengeModal', (detail) => openDialog({ ...detail, name: 'editChallenge' }))
  if (!open) return null
  const close = () => closeDialog(open)
  return (
    <LazyDialog key={open.name} onClose={close}>
      <DialogOf dialog={open} onClose={close} />
    </LazyDialog>
  )
}
