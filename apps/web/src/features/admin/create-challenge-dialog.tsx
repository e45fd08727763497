import { useId, useMemo } from 'react'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { clockAhead, useServerAhead } from '../../lib/server-clock.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { fieldErrorsOf, useDraftForm, useSubmit } from '../../lib/use-form.ts'
import { AnswerButtons } from '../../ui/answer-buttons.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ChallengeFields } from './challenge-fields.tsx'
import { BLANK_CHALLENGE, type ChallengeDraft, challengeSchema, type ParsedChallenge } from './challenge-form.ts'
import { formErrorToast, toastTitleOf } from './form-error-toast.ts'

/** Creates a challenge. */
export function CreateChallengeDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const formId = useId()
  const ahead = useServerAhead()
  const schema = useMemo(() => challengeSchema(clockAhead(ahead)), [ahead])
  const { form, draft } = useDraftForm<ChallengeDraft, ParsedChallenge>(schema, BLANK_CHALLENGE, 'challenge')
  const create = useAction(trpcClient.admin.createChallenge, {
    input: (challenge: ParsedChallenge, { password }) => ({ ...challenge, password }),
    confirm: ({ title, isActive }) => ({
      title: t('Create Challenge'),
      message: isActive
        ? t('“{title}” will open to all teams right away.', { title })
        : t('Only administrators will see “{title}” until you activate it.', { title }),
      confirmLabel: t('Create Challenge'),
    }),
    password: {
      title: t('Confirm with your password'),
      message: t('Enter your admin password to create the challenge.'),
      confirmLabel: t('Create Challenge'),
    },
    success: t('Challenge created successfully'),
    failure: ({ code }) => ({ title: toastTitleOf(code) ?? t('Error'), fallback: t('Failed to create challenge') }),
    fields: fieldErrorsOf(form),
    onSuccess: () => {
      draft.markSaved()
      onClose()
    },
    ...AFTER_ADMIN_ACTION,
  })
  const submit = useSubmit(form, create.run, formErrorToast)
  return (
    <Dialog
      open
      size="lg"
      title={t('Create Challenge')}
      onOpenChange={onClose}
      footer={<AnswerButtons question={{ confirmLabel: t('Create Challenge') }} form={formId} onCancel={onClose} />}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
        {draft.isRestored && <DraftNotice onStartOver={draft.startOver} />}
        <ChallengeFields form={form} />
        <Checkbox
          label={t('Open right away')}
          hint={t('Otherwise teams see it once you activate it.')}
          {...form.register('isActive')}
        />
        {create.failure && <Notice tone="bad" message={create.failure} />}
      </form>
    </Dialog>
  )
}
