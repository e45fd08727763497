import { ANNOUNCEMENT_LENGTH_MAX } from '@community/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { AFTER_ADMIN_ACTION } from '../../../components/after-admin-action.ts'
import { useAction } from '../../../lib/action.ts'
import { useT } from '../../../lib/i18n.ts'
import { clockAhead, useServerAhead } from '../../../lib/server-clock.ts'
import { trpc, trpcClient } from '../../../lib/trpc.ts'
import { fieldErrorsOf, registerField, type SchemaForm, useDraftForm, useSubmit } from '../../../lib/use-form.ts'
import { AnswerButtons } from '../../../ui/answer-buttons.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DraftNotice } from '../../../ui/draft-notice.tsx'
import { Field } from '../../../ui/field.tsx'
import { Markdown } from '../../../ui/markdown.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import {
  type AnnouncementDraft,
  announcementSchema,
  audienceInput,
  BLANK_ANNOUNCEMENT,
  type ParsedAnnouncement,
} from './announcement-form.ts'
import { AUDIENCE_LABELS } from './audience-labels.ts'
import { ChallengeChoice } from './challenge-choice.tsx'

const AUDIENCES = ['everyone', 'chefs', 'challenge'] as const

type Form = SchemaForm<AnnouncementDraft, ParsedAnnouncement>

/** Writes an announcement, shows it as its readers will see it, and sends or schedules it. */
export function AnnouncementDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const formId = useId()
  const ahead = useServerAhead()
  const schema = useMemo(() => announcementSchema(clockAhead(ahead)), [ahead])
  const { form, draft } = useDraftForm<AnnouncementDraft, ParsedAnnouncement>(
    schema,
    BLANK_ANNOUNCEMENT,
    'announcement',
  )
  const recipients = useRecipients(form)
  const isScheduled = form.watch('publishAt') !== ''
  const sendLabel = isScheduled ? t('Schedule announcement') : t('Send announcement')
  const announce = useAction(trpcClient.admin.announce, {
    input: ({ title, body, publishAt, ...audience }: ParsedAnnouncement, { password }) => ({
      title,
      body,
      ...audienceInput(audience),
      ...(publishAt !== undefined && { publishAt }),
      password,
    }),
    password: {
      title: sendLabel,
      message: recipients ?? t('Enter your admin password to continue.'),
      confirmLabel: sendLabel,
    },
    success: isScheduled ? t('Announcement scheduled') : t('Announcement sent'),
    failure: t('Failed to send the announcement'),
    fields: fieldErrorsOf(form),
    onSuccess: () => {
      draft.markSaved()
      onClose()
    },
    ...AFTER_ADMIN_ACTION,
  })
  const submit = useSubmit(form, announce.run)
  const title = registerField(form, 'title')
  const body = registerField(form, 'body')
  const publishAt = registerField(form, 'publishAt')
  return (
    <Dialog
      open
      size="lg"
      title={t('New announcement')}
      dismissible={!announce.isPending}
      onOpenChange={onClose}
      footer={
        <AnswerButtons
          question={{ confirmLabel: sendLabel }}
          form={formId}
          busy={announce.isPending}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
        {draft.isRestored && <DraftNotice onStartOver={draft.startOver} disabled={announce.isPending} />}
        <AudienceFields form={form} recipients={recipients} />
        <Field label={t('Title')} error={title.error} required>
          <TextInput {...title.control} />
        </Field>
        <Field label={t('{announcement, select, other {Text}}')} hint={t('Markdown')} error={body.error} required>
          <TextArea {...body.control} rows={6} max={ANNOUNCEMENT_LENGTH_MAX} />
        </Field>
        <Field
          label={t('Publish at')}
          hint={t('In the time zone of this device. Leave it empty to publish at once.')}
          error={publishAt.error}
        >
          <TextInput type="datetime-local" dir="ltr" {...publishAt.control} />
        </Field>
        {announce.failure && <Notice tone="bad" message={announce.failure} />}
        <Preview title={form.watch('title')} body={form.watch('body')} />
      </form>
    </Dialog>
  )
}

/** "12 people will be notified."; null until known. */
function useRecipients(form: Form): string | null {
  const t = useT()
  const [audience, challengeId] = form.watch(['audience', 'challengeId'])
  const isComplete = audience !== 'challenge' || challengeId !== ''
  const { data } = useQuery(
    trpc.admin.countRecipients.queryOptions(audienceInput({ audience, challengeId }), { enabled: isComplete }),
  )
  if (!isComplete || !data) return null
  return t('{count, plural, one {# person will be notified.} other {# people will be notified.}}', {
    count: data.recipients,
  })
}

function AudienceFields({ form, recipients }: { form: Form; recipients: string | null }) {
  const t = useT()
  const audience = registerField(form, 'audience')
  const challenge = registerField(form, 'challengeId')
  const [chosenAudience, challengeId] = form.watch(['audience', 'challengeId'])
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('Audience')} error={audience.error} required>
        <Select {...audience.control}>
          {AUDIENCES.map((one) => (
            <option key={one} value={one}>
              {t(AUDIENCE_LABELS[one])}
            </option>
          ))}
        </Select>
      </Field>
      {chosenAudience === 'challenge' && <ChallengeChoice field={challenge} value={challengeId} />}
      <output className="min-h-6 text-ink-2 sm:col-span-full">{recipients}</output>
    </div>
  )
}

function Preview({ title, body }: { title: string; body: string }) {
  const t = useT()
  if (title.trim() === '' && body.trim() === '') return null
  return (
    <section aria-label={t('Preview')} className="grid grid-cols-1 gap-2">
      <h3 className="text-sm font-semibold text-muted">{t('Preview')}</h3>
      <div dir="auto" className="grid grid-cols-1 gap-2 rounded-card border border-line p-4 wrap-anywhere">
        <p className="font-semibold">{title}</p>
        <Markdown text={body} topLevel={4} />
      </div>
    </section>
  )
}
