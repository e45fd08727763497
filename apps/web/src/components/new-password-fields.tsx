import { useT } from '../lib/i18n.ts'
import type { RegisteredField } from '../lib/use-form.ts'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/text-input.tsx'

interface NewPasswordFieldsProps {
  password: RegisteredField
  confirm: RegisteredField
  /** The account has no password yet. */
  isFirst?: boolean
  /** Administrators have stricter rules. */
  isAdmin?: boolean
}

/** A new password, typed twice. */
export function NewPasswordFields({ password, confirm, isFirst = false, isAdmin = false }: NewPasswordFieldsProps) {
  const t = useT()
  return (
    <>
      <Field
        label={isFirst ? t('Password') : t('New Password')}
        required
        error={password.error}
        hint={
          isAdmin
            ? t(
                'At least 8 characters, with a lowercase letter, an uppercase letter and a number. No character more than twice in a row.',
              )
            : t('At least 6 characters, with a lowercase letter, an uppercase letter and a number.')
        }
      >
        <PasswordInput autoComplete="new-password" {...password.control} />
      </Field>
      <Field label={isFirst ? t('Confirm Password') : t('Confirm New Password')} required error={confirm.error}>
        <PasswordInput autoComplete="new-password" {...confirm.control} />
      </Field>
    </>
  )
}
