import { Suspense } from 'react'
import { closeDialog, type OpenDialog, openDialog, useOpenDialog } from '../lib/dialogs.ts'
import { useListen } from '../lib/events.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

const AuthModal = lazyWithRetry(() => import('../features/auth/index.tsx').then((part) => part.AuthModal))
const AccountDialog = lazyWithRetry(() => import('../features/account/index.tsx').then((part) => part.AccountDialog))
const SignInPrompt = lazyWithRetry(() =>
  import('../features/auth/sign-in-prompt.tsx').then((part) => part.SignInPrompt),
)
const CreateTeamWizard = lazyWithRetry(() =>
  import('../features/teams/create-team-wizard.tsx').then((part) => part.CreateTeamWizard),
)
const TeamDialog = lazyWithRetry(() => import('../features/teams/team-dialog.tsx').then((part) => part.TeamDialog))
const TeamAct = lazyWithRetry(() => import('../features/teams/team-act.tsx').then((part) => part.TeamAct))
const CreateChallengeDialog = lazyWithRetry(() =>
  import('../features/admin/create-challenge-dialog.tsx').then((part) => part.CreateChallengeDialog),
)
const EditChallengeDialog = lazyWithRetry(() =>
  import('../features/admin/edit-challenge-dialog.tsx').then((part) => part.EditChallengeDialog),
)
const ReapplyDialog = lazyWithRetry(() =>
  import('../features/challenges/reapply-dialog.tsx').then((part) => part.ReapplyDialog),
)

/** Draws the dialog that `openDialog` or a window event opened. */
export function Dialogs() {
  const open = useOpenDialog()
  useListen('openAuthModal', (detail) => openDialog({ ...detail, name: 'auth', mode: detail?.mode ?? 'login' }))
  useListen('openAccount', () => openDialog({ name: 'account' }))
  useListen('openSignInPrompt', (detail) => openDialog({ ...detail, name: 'signInPrompt' }))
  useListen('openCreateTeamModal', () => openDialog({ name: 'createTeam' }))
  useListen('openTeam', (detail) => openDialog({ ...detail, name: 'team' }))
  useListen('openCreateChallengeModal', () => openDialog({ name: 'createChallenge' }))
  useListen('openEditChallengeModal', (detail) => openDialog({ ...detail, name: 'editChallenge' }))
  return (
    <ErrorBoundary key={open?.name} floating>
      <Suspense fallback={null}>{open && <DialogOf dialog={open} onClose={() => closeDialog(open)} />}</Suspense>
    </ErrorBoundary>
  )
}

function DialogOf({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  switch (dialog.name) {
    case 'auth':
      return <AuthModal mode={dialog.mode} email={dialog.email} onClose={onClose} />
    case 'account':
      return <AccountDialog onClose={onClose} />
    case 'signInPrompt':
      return <SignInPrompt reason={dialog.reason} onClose={onClose} />
    case 'createTeam':
      return <CreateTeamWizard onClose={onClose} />
    case 'team':
      return <TeamDialog key={dialog.teamId} teamId={dialog.teamId} manage={dialog.manage === true} onClose={onClose} />
    case 'teamAction':
      return (
        <TeamAct
          key={`${dialog.action} ${dialog.member.id}`}
          team={dialog.team}
          act={dialog.action}
          member={dialog.member}
          onClose={onClose}
        />
      )
    case 'createChallenge':
      return <CreateChallengeDialog onClose={onClose} />
    case 'editChallenge':
      return <EditChallengeDialog key={dialog.challengeId} challengeId={dialog.challengeId} onClose={onClose} />
    case 'reapply':
      return <ReapplyDialog application={dialog.application} isChef={dialog.isChef} onClose={onClose} />
  }
}
