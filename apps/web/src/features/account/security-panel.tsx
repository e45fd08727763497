import { emit } from '../../lib/events.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { settled, useSingleFlight } from '../../lib/single-flight.ts'
import { type CurrentUser, isAdmin, storeUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { askPassword } from '../../lib/questions.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { DeleteAccount } from './delete-account.tsx'

interface SecurityPanelProps {
  user: CurrentUser
  /** The session has ended: there is nothing more to settle here. */
  onLeft: () => void
}

/** How one signs in, and how one leaves for good. */
export function SecurityPanel({ user, onLeft }: SecurityPanelProps) {
  const t = useT()
  return (
    <div className="grid gap-8">
      <CodeSwitch user={user} />
      <section aria-labelledby="change-password" className="grid gap-4">
        <h3 id="change-password" className="text-lg font-semibold">
          {t('Change password')}
        </h3>
        {user.hasPassword ? (
          <ChangePasswordForm isAdmin={isAdmin(user)} onChanged={onLeft} />
        ) : (
          <NoPassword user={user} />
        )}
      </section>
      {!isAdmin(user) && <DeleteAccount user={user} onDeleted={onLeft} />}
    </div>
  )
}

function CodeSwitch({ user }: { user: CurrentUser }) {
  const t = useT()
  const save = trpc.users.updateProfile.useMutation({
    meta: { done: msg('Profile updated'), failed: { title: msg('Profile update failed') }, waitsForQueries: false },
    onSuccess: (answer) => storeUser(answer.user),
  })
  // The dialog shows what fails.
  const turnOff = trpc.users.updateProfile.useMutation({
    meta: { done: msg('Profile updated'), waitsForQueries: false },
    onSuccess: (answer) => storeUser(answer.user),
  })
  const askAndTurnOff = () =>
    askPassword({
      title: t('Turn off the code at sign-in?'),
      message: t('Your password alone will be enough to sign in. Enter it to go on. We tell you by mail.'),
      confirmLabel: t('Turn off'),
      danger: true,
      verify: (currentPassword) => turnOff.mutateAsync({ signInOtp: false, currentPassword }),
    })
  const set = useSingleFlight((signInOtp: boolean) =>
    !signInOtp && user.hasPassword ? askAndTurnOff() : settled(save.mutateAsync({ signInOtp })),
  )
  // Not disabled meanwhile: that would take the focus from who works it by keys.
  return (
    <Switch
      label={t('Code at every sign-in')}
      hint={t('After your password we ask for a 6-digit code from your mailbox.')}
      checked={save.isPending ? save.variables.signInOtp === true : user.signInOtp}
      aria-busy={save.isPending || undefined}
      onChange={(event) => void set(event.target.checked)}
    />
  )
}

/** Somebody who came through the external provider. A mailed code sets the first password. */
function NoPassword({ user }: { user: CurrentUser }) {
  const t = useT()
  return (
    <Notice
      action={
        <Button size="sm" onClick={() => emit('openAuthModal', { mode: 'forgot', email: user.email })}>
          {t('Set a password')}
        </Button>
      }
    >
      {t('You sign in through the external provider. Set a password to sign in with your email as well.')}
    </Notice>
  )
}
