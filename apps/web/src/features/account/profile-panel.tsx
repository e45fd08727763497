import { ProfileForm } from '@community/contract'
import { useEffect, useState } from 'react'
import { ExperienceField, LinkFields, NameField, PhoneField } from '../../components/person-fields.tsx'
import { failureOf } from '../../lib/failure.ts'
import { formValues } from '../../lib/form-values.ts'
import { LANGUAGE_NAMES, LANGUAGES, msg, switchLanguage, useT } from '../../lib/i18n.ts'
import { type CurrentUser, storeUser } from '../../lib/session.ts'
import { settled } from '../../lib/single-flight.ts'
import { trpc } from '../../lib/trpc.ts'
import { bound, applyServerErrors, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { AvatarField } from './avatar-field.tsx'

/** Picture, name, ways to be reached, language. */
export function ProfilePanel({ user }: { user: CurrentUser }) {
  const t = useT()
  const [failure, setFailure] = useState<string>()
  const form = useSchemaForm(ProfileForm, formValues(ProfileForm, user))
  const save = trpc.users.updateProfile.useMutation({
    meta: { done: msg('Profile updated'), failed: { title: msg('Profile update failed') }, waitsForQueries: false },
    onSuccess: (answer) => {
      storeUser(answer.user)
      form.reset(formValues(ProfileForm, answer.user))
    },
    onError: (error) => {
      if (applyServerErrors(form, error).length === 0) setFailure(failureOf(error).message)
    },
  })
  // What was chosen in the header arrives a moment later.
  useEffect(() => form.resetField('language', { defaultValue: user.language }), [form, user.language])
  const submit = useSubmit(form, (input) => {
    setFailure(undefined)
    // Saving a phone number must not switch a page that is read in another language.
    const isChosen = input.language !== user.language
    return settled(save.mutateAsync(input).then(() => (isChosen ? switchLanguage(input.language) : undefined)))
  })
  return (
    <div className="grid gap-6">
      <AvatarField user={user} />
      <form noValidate onSubmit={submit} className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <NameField field={bound(form, 'name')} />
          <Field label={t('Email')} required>
            <TextInput type="email" value={user.email} readOnly />
          </Field>
          <PhoneField field={bound(form, 'phone')} />
          <ExperienceField field={bound(form, 'experience')} />
        </div>
        <LinkFields field={(part) => bound(form, part)} />
        <Field
          label={t('Language')}
          required
          hint={t('Of the mails we send you. Changing it here changes this page too.')}
        >
          <Select {...bound(form, 'language').control}>
            {LANGUAGES.map((language) => (
              <option key={language} value={language} lang={language}>
                {LANGUAGE_NAMES[language]}
              </option>
            ))}
          </Select>
        </Field>
        {failure && <Notice tone="bad" message={failure} />}
        <Button type="submit" variant="primary" busy={save.isPending} busyLabel={t('Saving...')}>
          {t('Save')}
        </Button>
      </form>
    </div>
  )
}
