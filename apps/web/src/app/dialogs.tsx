import { Suspense, useState } from 'react'
import { type EventDetails, useListen } from '../lib/events.ts'
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

type Shown =
  | ({ name: 'auth' } & EventDetails['openAuthModal'])
  | { name: 'account' }
  | { name: 'signInPrompt'; reason?: string }
  | { name: 'createTeam' }
  | { name: 'createChallenge' }
  | ({ name: 'editChallenge' } & EventDetails['openEditChallengeModal'])
  | ({ name: 'reapply' } & EventDetails['openReapply'])
  | ({ name: 'team' } & EventDetails['openTeam'])
  | ({ name: 'teamAct' } & EventDetails['openTeamAct'])

/** The dialogs that window events open from anywhere. One at a time: the last asked for stands. */
export function Dialogs() {
  const [shown, setShown] = useState<Shown | null>(null)
  useListen('openAuthModal', (detail) => setShown({ name: 'auth', ...detail, mode: detail?.mode ?? 'login' }))
  useListen('openAccount', () => setShown({ name: 'account' }))
  useListen('openSignInPrompt', (detail) => setShown({ name: 'signInPrompt', ...detail }))
  useListen('openCreateTeamModal', () => setShown({ name: 'createTeam' }))
  useListen('openTeam', (detail) => setShown({ name: 'team', ...detail }))
  useListen('openTeamAct', (detail) => setShown({ name: 'teamAct', ...detail }))
  useListen('openCreateChallengeModal', () => setShown({ name: 'createChallenge' }))
  useListen('openEditChallengeModal', (detail) => setShown({ name: 'editChallenge', ...detail }))
  useListen('openReapply', (detail) => setShown({ name: 'reapply', ...detail }))
  // Of itself alone: what was opened since stays.
  const close = () => setShown((now) => (now === shown ? null : now))
  return (
    <ErrorBoundary key={shown?.name} floating>
      <Suspense fallback={null}>
        {shown?.name === 'auth' && <AuthModal mode={shown.mode} email={shown.email} onClose={close} />}
        {shown?.name === 'account' && <AccountDialog onClose={close} />}
        {shown?.name === 'signInPrompt' && <SignInPrompt reason={shown.reason} onClose={close} />}
        {shown?.name === 'createTeam' && <CreateTeamWizard onClose={close} />}
        {shown?.name === 'createChallenge' && <CreateChallengeDialog onClose={close} />}
        {shown?.name === 'editChallenge' && (
          <EditChallengeDialog key={shown.challengeId} challengeId={shown.challengeId} onClose={close} />
        )}
        {shown?.name === 'reapply' && (
          <ReapplyDialog application={shown.application} isChef={shown.isChef} onClose={close} />
        )}
        {shown?.name === 'team' && (
          <TeamDialog key={shown.teamId} teamId={shown.teamId} manage={shown.manage === true} onClose={close} />
        )}
        {shown?.name === 'teamAct' && (
          <TeamAct
            key={`${shown.act} ${shown.member.id}`}
            team={shown.team}
            act={shown.act}
            member={shown.member}
            onClose={close}
          />
        )}
      </Suspense>
    </ErrorBoundary>
  )
}
