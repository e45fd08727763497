import { useEffect } from 'react'
import { useT } from '../../lib/i18n.ts'
import { type SchemaForm, useSubmit } from '../../lib/use-form.ts'
import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { AccountInput } from '../../ui/text-input.tsx'
import { SignUpPasswordFields, type SignUpValues } from './sign-up-form.tsx'

interface PasswordAgainProps {
  /** That of the registration, with its name and email. */
  form: SchemaForm<SignUpValues>
  onPassword: (password: string) => void
  onBack: () => void
}

/** Lets the visitor choose the password of a registration whose code was mailed before the page was loaded again. */
export function PasswordAgain({ form, onPassword, onBack }: PasswordAgainProps) {
  const t = useT()
  const { setFocus } = form
  useEffect(() => setFocus('password'), [setFocus])
  const onSubmit = useSubmit(form, async ({ password }) => onPassword(password))
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      <AccountInput email={form.getValues('email')} />
      <p className="text-ink-2">{t('The page reloaded. Choose your password again, then enter the code.')}</p>
      <SignUpPasswordFields form={form} />
      <div className="grid gap-2">
        <Button type="submit" variant="primary">
          {t('Continue')}
        </Button>
        <BackButton onClick={onBack}>{t('Back to Sign Up')}</BackButton>
      </div>
    </form>
  )
}
