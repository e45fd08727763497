import { CreateTokenInput } from '@community/contract'
import { useEffect, useId } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { type CurrentUser, isAdmin } from '../../lib/session.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, fieldErrorsOf, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { PasswordInput, TextInput } from '../../ui/text-input.tsx'

interface CreateTokenFormProps {
  user: CurrentUser
  onCreated: (secret: string) => void
  onCancel: () => void
}

/** A new access token: name, scopes, expiry, and the password of an account that has one. */
export function CreateTokenForm({ user, onCreated, onCancel }: CreateTokenFormProps) {
  const t = useT()
  const form = useSchemaForm(CreateTokenInput, {
    name: '',
    scopes: ['read'],
    expiresInDays: 30,
    ...(user.hasPassword && { currentPassword: '' }),
  })
  const scopesErrorId = useId()
  const { setFocus } = form
  useEffect(() => setFocus('name'), [setFocus])
  const create = useAction(trpcClient.users.createToken, {
    fields: fieldErrorsOf(form),
    onSuccess: ({ secret }) => onCreated(secret),
    invalidates: ['users.tokens'],
  })
  const submit = useSubmit(form, (input) => create.run(input))
  const name = registerField(form, 'name')
  const scopes = registerField(form, 'scopes')
  const expiry = registerField(form, 'expiresInDays', {
    setValueAs: (value: string | number) => (value === '' ? null : Number(value)),
  })
  const password = registerField(form, 'currentPassword')
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 rounded-card border border-line p-4">
      <Field
        label={t('Token name')}
        required
        error={name.error}
        hint={t('For example, the name of the script that uses it.')}
      >
        <TextInput autoComplete="off" {...name.control} />
      </Field>
      <fieldset aria-describedby={scopes.error && scopesErrorId}>
        <legend className="font-medium">{t('Scopes')}</legend>
        <Checkbox value="read" label={t('Read')} hint={t('Everything you can see as a member')} {...scopes.control} />
        <Checkbox
          value="write"
          label={t('Write')}
          hint={t('Everything you can do as a member, except managing your sign-in and account')}
          {...scopes.control}
        />
        {isAdmin(user) && (
          <Checkbox
            value="admin"
            label={t('Administration')}
            hint={t(
              'Everything an administrator can do, without entering your password. Each action is recorded in the audit log.',
            )}
            {...scopes.control}
          />
        )}
        <FieldError id={scopesErrorId} error={scopes.error} />
      </fieldset>
      <Field label={t('Expiration')} required error={expiry.error}>
        <Select {...expiry.control}>
          <option value="7">{t('7 days')}</option>
          <option value="30">{t('30 days')}</option>
          <option value="90">{t('90 days')}</option>
          <option value="365">{t('1 year')}</option>
          <option value="">{t('No expiration')}</option>
        </Select>
      </Field>
      {user.hasPassword && (
        <Field label={t('Current Password')} required error={password.error}>
          <PasswordInput autoComplete="current-password" {...password.control} />
        </Field>
      )}
      {create.failure && <Notice tone="bad" message={create.failure} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={create.isPending} busyLabel={t('Creating...')}>
          {t('Create access token')}
        </Button>
        <Button onClick={onCancel}>{t('Cancel')}</Button>
      </div>
    </form>
  )
}
