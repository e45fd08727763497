import { VerifyRegistrationInput } from '@community/contract'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { useT } from '../../lib/i18n.ts'
import { registerField, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/text-input.tsx'

const PasswordForm = VerifyRegistrationInput.pick({ password: true })

interface PasswordAgainProps {
  onPassword: (password: string) => void
  onBack: () => void
}

/** Asks for the password of a registration whose code was mailed before the page was loaded again. */
export function PasswordAgain({ onPassword, onBack }: PasswordAgainProps) {
  const t = useT()
  const form = useSchemaForm(PasswordForm, { password: '' })
  const { setFocus } = form
  useEffect(() => setFocus('password'), [setFocus])
  const onSubmit = useSubmit(form, async ({ password }) => onPassword(password))
  const { error, control } = registerField(form, 'password')
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      <p className="text-ink-2">{t('The page reloaded. Enter your password again, then the code.')}</p>
      <Field
        label={t('Password')}
        required
        error={error}
        hint={t('At least 6 characters, with a lowercase letter, an uppercase letter and a number.')}
      >
        <PasswordInput autoComplete="new-password" {...control} />
      </Field>
      <div className="grid gap-2">
        <Button type="submit" variant="primary">
          {t('Continue')}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden="true" className="rtl:-scale-x-100" />
          {t('Back to Sign Up')}
        </Button>
      </div>
    </form>
  )
}
