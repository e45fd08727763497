import { ProfileForm } from '@community/contract'
import { useEffect, useEffectEvent, useRef } from 'react'
import { ExperienceField, OptionalPersonFields, NameField, PhoneField } from '../../components/person-fields.tsx'
import { useAction } from '../../lib/action.ts'
import { formValues } from '../../lib/form-values.ts'
import { LANGUAGE_NAMES, LANGUAGES, switchLanguage, useT } from '../../lib/i18n.ts'
import { type CurrentUser, storeUser } from '../../lib/session.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, fieldErrorsOf, useDraftForm, useSubmit } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { AFTER_PROFILE_CHANGE } from './after-profile-change.ts'
import { AvatarField } from './avatar-field.tsx'

/** The form of `ProfilePanel`. */
export const useProfileForm = (user: CurrentUser) => useDraftForm(ProfileForm, formValues(ProfileForm, user), 'profile')

interface ProfileSubmission {
  changes: Partial<ProfileForm>
  /** All fields as they were at the submit. */
  typed: ProfileForm
}

interface ProfilePanelProps {
  user: CurrentUser
  profile: ReturnType<typeof useProfileForm>
}

/** Picture, name, contact details and language. */
export function ProfilePanel({ user, profile }: ProfilePanelProps) {
  const t = useT()
  const { form, draft } = profile
  const savedLanguage = useRef(user.language)
  const save = useAction(trpcClient.users.updateProfile, {
    input: ({ changes }: ProfileSubmission) => changes,
    success: t('Profile updated'),
    failure: { title: t('Profile update failed') },
    fields: fieldErrorsOf(form),
    onSuccess: (output, { changes: { language }, typed }: ProfileSubmission) => {
      if (language) void switchLanguage(language).catch(() => undefined)
      savedLanguage.current = output.user.language
      storeUser(output.user)
      draft.showSaved(formValues(ProfileForm, output.user), typed)
    },
    ...AFTER_PROFILE_CHANGE,
  })
  const showLanguage = useEffectEvent((language: CurrentUser['language']) => {
    form.resetField('language', { defaultValue: language })
    draft.markSaved({ language })
  })
  useEffect(() => {
    // A language chosen in the header is saved a moment later. At first, a restored draft may have another.
    if (savedLanguage.current !== user.language) showLanguage(user.language)
    savedLanguage.current = user.language
  }, [user.language])
  // Only what changed here: the other fields may have been changed elsewhere since the form opened.
  const submit = useSubmit(form, (parsed) => save.run({ changes: draft.pickChanged(parsed), typed: form.getValues() }))
  return (
    <div className="grid gap-6">
      <AvatarField user={user} />
      {draft.isRestored && <DraftNotice onStartOver={draft.startOver} disabled={save.isPending} />}
      <form noValidate onSubmit={submit} className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <NameField field={registerField(form, 'name')} />
          {/* A whole row: an input cuts a long address. */}
          <Field label={t('Email')} required className="sm:col-span-full">
            <TextInput type="email" value={user.email} readOnly />
          </Field>
          <PhoneField field={registerField(form, 'phone')} />
          <ExperienceField field={registerField(form, 'experience')} />
        </div>
        <OptionalPersonFields field={(name) => registerField(form, name)} />
        <Field label={t('Language')} required hint={t('Sets the language of this page and of the emails we send you.')}>
          <Select {...registerField(form, 'language').control}>
            {LANGUAGES.map((language) => (
              <option key={language} value={language} lang={language}>
                {LANGUAGE_NAMES[language]}
              </option>
            ))}
          </Select>
        </Field>
        {save.failure && <Notice tone="bad" message={save.failure} />}
        <Button type="submit" variant="primary" busy={save.isPending} busyLabel={t('Saving...')}>
          {t('Save')}
        </Button>
      </form>
    </div>
  )
}
