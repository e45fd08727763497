import { BlacklistInput } from '@community/contract'
import { REASON_LENGTH_MAX } from '@community/contract/limits'
import { useId } from 'react'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, fieldErrorsOf, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { AnswerButtons } from '../../ui/answer-buttons.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'

/** Adds an email address to the blacklist. */
export function AddToBlacklistDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const formId = useId()
  const form = useSchemaForm(BlacklistInput, { email: '', reason: '' })
  const add = useAction(trpcClient.admin.addToBlacklist, {
    success: t('Address added to the blacklist'),
    failure: t('Failed to add the address'),
    fields: fieldErrorsOf(form),
    onSuccess: onClose,
    ...AFTER_ADMIN_ACTION,
  })
  const submit = useSubmit(form, add.run)
  const email = registerField(form, 'email')
  const reason = registerField(form, 'reason')
  return (
    <Dialog
      open
      title={t('Add to the blacklist')}
      dismissible={!add.isPending}
      onOpenChange={onClose}
      footer={
        <AnswerButtons
          question={{ confirmLabel: t('Add address') }}
          form={formId}
          busy={add.isPending}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
        <p className="text-ink-2">
          {t('This address and its variants will no longer be accepted for sign-up or external sign-in.')}
        </p>
        <Field label={t('Email')} error={email.error} required>
          <TextInput type="email" dir="ltr" autoComplete="off" {...email.control} />
        </Field>
        <Field label={t('Reason')} error={reason.error} required>
          <TextArea {...reason.control} rows={3} max={REASON_LENGTH_MAX} />
        </Field>
        {add.failure && <Notice tone="bad" message={add.failure} />}
      </form>
    </Dialog>
  )
}
