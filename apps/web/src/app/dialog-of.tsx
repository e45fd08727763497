import type { OpenDialog } from '../lib/dialogs.ts'
import { withAdminMessages } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'

const AuthModal = lazyWithRetry(() => import('../features/auth/index.tsx').then((part) => part.AuthModal))
const AccountDialog = lazyWithRetry(() => import('../features/account/index.tsx').then((part) => part.AccountDialog))
const SignInPrompt = lazyWithRetry(() =>
  import('../features/auth/sign-in-prompt.tsx').then((part) => part.SignInPrompt),
)
const CreateTeamWizard = lazyWithRetry(() =>
  import('../features/teams/create-team-wizard.tsx').then((part) => part.CreateTeamWizard),
)
const TeamDialog = lazyWithRetry(() => import('../features/teams/team-dialog.tsx').then((part) => part.TeamDialog))
const OwnTeamAction = lazyWithRetry(() =>
  import('../features/teams/own-team-action.tsx').then((part) => part.OwnTeamAction),
)
const CreateChallengeDialog = lazyWithRetry(() =>
  withAdminMessages(import('../features/admin/create-challenge-dialog.tsx')).then((part) => part.CreateChallengeDialog),
)
const EditChallengeDialog = lazyWithRetry(() =>
  withAdminMessages(import('../features/admin/edit-challenge-dialog.tsx')).then((part) => part.EditChallengeDialog),
)
const ContinuedApplication = lazyWithRetry(() =>
  import('../features/challenges/continued-application.tsx').then((part) => part.ContinuedApplication),
)
const WebhooksDialog = lazyWithRetry(() =>
  import('../features/teams/webhooks-dialog.tsx').then((part) => part.WebhooksDialog),
)
const ReapplyDialog = lazyWithRetry(() =>
  import('../features/challenges/reapply-dialog.tsx').then((part) => part.ReapplyDialog),
)

/** The component of an open dialog. */
export function DialogOf({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  switch (dialog.name) {
    case 'auth':
      return (
        <AuthModal
          mode={dialog.mode}
          email={dialog.email}
          intent={dialog.intent}
          sent={dialog.sent}
          onClose={onClose}
        />
      )
    case 'account':
      return <AccountDialog initialTab={dialog.tab} onClose={onClose} />
    case 'signInPrompt':
      return <SignInPrompt reason={dialog.reason} intent={dialog.intent} onClose={onClose} />
    case 'createTeam':
      return <CreateTeamWizard onClose={onClose} />
    case 'team':
      return <TeamDialog key={dialog.teamId} teamId={dialog.teamId} manage={dialog.manage === true} onClose={onClose} />
    case 'teamAction':
      return (
        <OwnTeamAction
          key={`${dialog.action} ${dialog.member.id}`}
          team={dialog.team}
          action={dialog.action}
          member={dialog.member}
          onClose={onClose}
        />
      )
    case 'apply':
    case 'submit':
      return (
        <ContinuedApplication
          key={`${dialog.name} ${dialog.challengeId}`}
          kind={dialog.name}
          challengeId={dialog.challengeId}
          onClose={onClose}
        />
      )
    case 'createChallenge':
      return <CreateChallengeDialog onClose={onClose} />
    case 'editChallenge':
      return <EditChallengeDialog key={dialog.challengeId} challengeId={dialog.challengeId} onClose={onClose} />
    case 'webhooks':
      return <WebhooksDialog team={dialog.team} onClose={onClose} />
    // 'reapply'; another name does not compile here.
    default:
      return <ReapplyDialog application={dialog.application} isChef={dialog.isChef} onClose={onClose} />
  }
}
