import { ChangePasswordForm as Schema } from '@community/contract'
import { useState } from 'react'
import { emit } from '../../lib/events.ts'
import { failureOf } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { clearSession } from '../../lib/session.ts'
import { settled } from '../../lib/single-flight.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { bound, applyServerErrors, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/text-input.tsx'

interface ChangePasswordProps {
  /** The rules for administrators are stricter. */
  isAdmin: boolean
  onChanged: () => void
}

/** A new password, with the current one. Afterwards one signs in anew, everywhere. */
export function ChangePasswordForm({ isAdmin, onChanged }: ChangePasswordProps) {
  const t = useT()
  const [failure, setFailure] = useState<string>()
  const form = useSchemaForm(Schema, { currentPassword: '', newPassword: '', confirmPassword: '' })
  const change = trpc.auth.changePassword.useMutation({
    meta: { invalidates: [], failed: { title: msg('Password change failed') } },
    onSuccess: () => {
      onChanged()
      clearSession()
      toast.success(t('Password changed. Please sign in again.'))
      emit('openAuthModal', { mode: 'login' })
    },
    onError: (error) => {
      if (applyServerErrors(form, error).length === 0) setFailure(failureOf(error).message)
    },
  })
  const submit = useSubmit(form, ({ currentPassword, newPassword }) => {
    setFailure(undefined)
    return settled(change.mutateAsync({ currentPassword, newPassword }))
  })
  const current = bound(form, 'currentPassword')
  const next = bound(form, 'newPassword')
  const confirm = bound(form, 'confirmPassword')
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label={t('Current Password')} required error={current.error}>
        <PasswordInput autoComplete="current-password" {...current.control} />
      </Field>
      <Field
        label={t('New Password')}
        required
        error={next.error}
        hint={
          isAdmin
            ? t(
                'At least 8 characters, with a lowercase letter, an uppercase letter and a number, no three alike in a row.',
              )
            : t('At least 6 characters, with a lowercase letter, an uppercase letter and a number.')
        }
      >
        <PasswordInput autoComplete="new-password" {...next.control} />
      </Field>
      <Field label={t('Confirm New Password')} required error={confirm.error}>
        <PasswordInput autoComplete="new-password" {...confirm.control} />
      </Field>
      {failure && <Notice tone="bad" message={failure} />}
      <p className="text-sm text-muted">{t('You will be signed out on all devices, this one too.')}</p>
      <Button type="submit" variant="primary" busy={change.isPending} busyLabel={t('Saving...')}>
        {t('Change password')}
      </Button>
    </form>
  )
}
