import { ChangePasswordForm as Schema } from '@community/contract'
import { NewPasswordFields } from '../../components/new-password-fields.tsx'
import { useAction } from '../../lib/action.ts'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { clearSession, type CurrentUser, isAdmin } from '../../lib/session.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, fieldErrorsOf, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountInput, PasswordInput } from '../../ui/text-input.tsx'

interface ChangePasswordProps {
  user: CurrentUser
  onChanged: () => void
}

/** Changes the password, given the current one. This ends every session. */
export function ChangePasswordForm({ user, onChanged }: ChangePasswordProps) {
  const t = useT()
  const form = useSchemaForm(Schema, {
    currentPassword: '',
    newPassword: '',
    confirmPassword: '',
    revokeTokens: false,
  })
  const change = useAction(trpcClient.auth.changePassword, {
    success: t('Password changed. Please sign in again.'),
    failure: { title: t('Password change failed') },
    fields: fieldErrorsOf(form),
    onSuccess: () => {
      onChanged()
      clearSession()
      emit('openAuthModal', { mode: 'login' })
    },
  })
  const submit = useSubmit(form, ({ currentPassword, newPassword, revokeTokens }) =>
    change.run({ currentPassword, newPassword, revokeTokens }),
  )
  const current = registerField(form, 'currentPassword')
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <AccountInput email={user.email} />
      <Field label={t('Current Password')} required error={current.error}>
        <PasswordInput autoComplete="current-password" {...current.control} />
      </Field>
      <NewPasswordFields
        password={registerField(form, 'newPassword')}
        confirm={registerField(form, 'confirmPassword')}
        isAdmin={isAdmin(user)}
      />
      <Checkbox label={t('Also revoke my access tokens')} {...registerField(form, 'revokeTokens').control} />
      {change.failure && <Notice tone="bad" message={change.failure} />}
      <p className="text-sm text-muted">{t('You will be signed out on all devices, including this one.')}</p>
      <Button type="submit" variant="primary" busy={change.isPending} busyLabel={t('Saving...')}>
        {t('Change password')}
      </Button>
    </form>
  )
}
