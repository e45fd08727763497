import { useAction } from '../../lib/action.ts'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { type CurrentUser, isAdmin, storeUser } from '../../lib/session.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AFTER_PROFILE_CHANGE } from './after-profile-change.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { DownloadData } from './download-data.tsx'

interface SecurityPanelProps {
  user: CurrentUser
  /** The session has ended, so the dialog closes. */
  onSignedOut: () => void
}

/** The password, the download of one’s data, and deleting the account. */
export function SecurityPanel({ user, onSignedOut }: SecurityPanelProps) {
  const t = useT()
  return (
    <div className="grid gap-8">
      <CodeSwitch user={user} />
      <section aria-labelledby="change-password" className="grid gap-4">
        <h3 id="change-password" className="text-lg font-semibold">
          {t('Change password')}
        </h3>
        {user.hasPassword ? (
          <ChangePasswordForm user={user} onChanged={onSignedOut} />
        ) : (
          <SetPasswordNotice user={user} />
        )}
      </section>
      <DownloadData />
      {!isAdmin(user) && <DeleteAccount user={user} onDeleted={onSignedOut} />}
    </div>
  )
}

function CodeSwitch({ user }: { user: CurrentUser }) {
  const t = useT()
  const save = useAction(trpcClient.users.updateProfile, {
    input: (signInOtp: boolean, { password }) => ({
      signInOtp,
      ...(password !== '' && { currentPassword: password }),
    }),
    password: (signInOtp) =>
      signInOtp || !user.hasPassword
        ? undefined
        : {
            title: t('Turn off the code at sign-in?'),
            message: t(
              'You will need only your password to sign in. Enter it to continue. We will let you know by email.',
            ),
            confirmLabel: t('Turn off'),
            danger: true,
          },
    success: t('Profile updated'),
    failure: { title: t('Profile update failed') },
    onSuccess: (output) => storeUser(output.user),
    ...AFTER_PROFILE_CHANGE,
  })
  if (user.signInOtpRequired)
    return (
      <Switch
        label={t('Require a code at every sign-in')}
        hint={t('After your password, you enter a 6-digit code that we email you. This site requires it.')}
        checked
        disabled
      />
    )
  // Not disabled while busy: that would drop the keyboard focus.
  return (
    <Switch
      label={t('Require a code at every sign-in')}
      hint={t('After your password, you enter a 6-digit code that we email you.')}
      checked={save.isPending ? save.target === true : user.signInOtp}
      aria-busy={save.isPending || undefined}
      onChange={(event) => void save.run(event.target.checked)}
    />
  )
}

/** An account of the external provider has no password yet: a mailed code sets the first one. */
function SetPasswordNotice({ user }: { user: CurrentUser }) {
  const t = useT()
  return (
    <Notice
      action={
        <Button size="sm" onClick={() => emit('openAuthModal', { mode: 'forgot', email: user.email })}>
          {t('Set a password')}
        </Button>
      }
    >
      {t('You sign in with an external provider. Set a password to also sign in with your email.')}
    </Notice>
  )
}
