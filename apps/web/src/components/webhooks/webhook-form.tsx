import { ADMIN_EVENTS, CreateWebhookInput, type Webhook, WEBHOOK_EVENT_NAMES } from '@community/contract'
import { useEffect } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, fieldErrorsOf, useDraftForm, useSubmit } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { passwordIfAdmin, passwordInput } from '../confirm-as-chef.ts'
import { eventDescription } from './labels.ts'
import type { View } from './view.ts'

const FormInput = CreateWebhookInput.pick({ url: true, events: true })

interface WebhookFormProps {
  teamId: string | null
  webhook: Webhook | null
  onView: (view: View) => void
}

/** Creates a webhook, or changes the URL and the events of one. */
export function WebhookForm({ teamId, webhook, onView }: WebhookFormProps) {
  const t = useT()
  const choices = WEBHOOK_EVENT_NAMES.filter((event) => teamId === null || !ADMIN_EVENTS.includes(event))
  const chosen = choices.filter((event) => webhook?.events.includes(event))
  const draftName = `webhook ${webhook?.id ?? teamId ?? ''}`
  const { form, draft } = useDraftForm(FormInput, { url: webhook?.url ?? '', events: chosen }, draftName)
  const { setFocus } = form
  useEffect(() => setFocus('url'), [setFocus])
  const save = useSave(teamId, webhook, fieldErrorsOf(form), (view) => {
    draft.markSaved()
    onView(view)
  })
  const submit = useSubmit(form, (input) => save.run(input))
  const url = registerField(form, 'url')
  const events = registerField(form, 'events')
  return (
    <form noValidate onSubmit={submit} className="grid max-w-3xl gap-4 rounded-card border border-line bg-surface p-4">
      {draft.isRestored && <DraftNotice onStartOver={draft.startOver} disabled={save.isPending} />}
      <Field label={t('URL of your server')} required error={url.error}>
        <TextInput type="url" autoComplete="off" placeholder="https://" {...url.control} />
      </Field>
      <fieldset aria-describedby={events.error && 'webhook-events-error'}>
        <legend className="font-medium">{t('Events to send')}</legend>
        {/* Above: below the list it would be out of view when the first event gets the focus. */}
        <FieldError id="webhook-events-error" error={events.error} />
        <div className="grid sm:grid-cols-2 sm:gap-x-4">
          {choices.map((event) => (
            <Checkbox
              key={event}
              value={event}
              label={
                <bdi dir="ltr" className="font-mono wrap-anywhere">
                  {event}
                </bdi>
              }
              hint={eventDescription(event, t)}
              {...events.control}
            />
          ))}
        </div>
      </fieldset>
      {save.failure && <Notice tone="bad" message={save.failure} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={save.isPending} busyLabel={t('Saving...')}>
          {webhook ? t('Save changes') : t('Create webhook')}
        </Button>
        <Button onClick={() => onView({ name: 'list' })}>{t('Cancel')}</Button>
      </div>
    </form>
  )
}

type Values = Pick<Webhook, 'url' | 'events'>

function useSave(
  teamId: string | null,
  webhook: Webhook | null,
  fields: (error: unknown) => boolean,
  onView: (view: View) => void,
) {
  const t = useT()
  const common = { fields, invalidates: ['webhooks.list'] }
  const create = useAction(trpcClient.webhooks.create, {
    ...common,
    input: (values: Values, answers) => ({ ...values, ...(teamId && { teamId }), ...passwordInput(answers) }),
    ...passwordIfAdmin({ title: t('New webhook'), confirmLabel: t('Create webhook') }),
    onSuccess: ({ secret }) => onView({ name: 'secret', secret }),
  })
  const update = useAction(trpcClient.webhooks.update, {
    ...common,
    input: (values: Values, answers) => ({ id: webhook?.id ?? '', ...values, ...passwordInput(answers) }),
    ...passwordIfAdmin({ title: t('Edit webhook'), confirmLabel: t('Save changes') }),
    success: t('Webhook updated'),
    onSuccess: () => onView({ name: 'list' }),
  })
  return webhook ? update : create
}
