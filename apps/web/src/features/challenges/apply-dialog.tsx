import type { Challenge } from '@community/contract'
import { NOTES_LENGTH_MAX } from '@community/contract/limits'
import { useId, useState } from 'react'
import { linkName } from '../../brand/link-name.ts'
import { useT } from '../../lib/i18n.ts'
import { bound, type SchemaForm, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Radio } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FileInput } from '../../ui/file-input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { ApplyForm } from './apply-form.ts'
import { ACCEPTED } from './file-problem.ts'
import type { Standing } from './standing.ts'
import { TeamChoice } from './team-choice.tsx'
import { type SendFailure, useSendApplication } from './send-application.ts'

/** The form before anything is chosen: both kinds of work have their field. */
interface Draft {
  teamId: string
  type: 'link' | 'upload'
  link: string
  file: File | null
  applicationNotes: string
}

export interface ApplyDialogProps {
  challenge: Challenge
  standings: readonly Standing[]
  onClose: () => void
}

/** A chef applies for a team: with a link, or with a file that is sent first. */
export function ApplyDialog({ challenge, standings, onClose }: ApplyDialogProps) {
  const t = useT()
  const formId = useId()
  const led = standings.filter(({ isChef }) => isChef)
  const free = led.filter(({ refusal }) => refusal === null)
  // The schema's input has the field of the chosen kind only; the form keeps both while one changes one's mind.
  const form = useSchemaForm<Draft, ApplyForm>(ApplyForm as never, {
    teamId: (free.length === 1 && free[0]?.team.id) || '',
    type: 'link',
    link: '',
    file: null,
    applicationNotes: '',
  })
  const sending = useSendApplication(challenge, onClose)
  const submit = useSubmit(form, (filled) => sending.send(filled))
  return (
    <Dialog
      open
      title={t('Apply to Challenge')}
      description={<bdi>{challenge.title}</bdi>}
      dismissible={!sending.isSending}
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose} aria-disabled={sending.isSending}>
            {t('Cancel')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={sending.isSending} busyLabel={t('Submitting...')}>
            {sending.failure?.of === 'upload' ? t('Try Again') : t('Submit Application')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
        <TeamChoice standings={led} field={bound(form, 'teamId')} maxSubmissions={challenge.maxSubmissions} />
        <WorkFields
          form={form}
          progress={sending.progress}
          onCancelUpload={sending.cancel}
          onChange={sending.forgetFailure}
        />
        <Field label={t('Notes')} error={bound(form, 'applicationNotes').error}>
          <TextArea {...form.register('applicationNotes')} max={NOTES_LENGTH_MAX} rows={3} />
        </Field>
        {sending.failure && <Failure failure={sending.failure} />}
      </form>
    </Dialog>
  )
}

function bringIntoView(box: HTMLElement | null): void {
  box?.focus({ preventScroll: true })
  box?.scrollIntoView({ block: 'nearest' })
}

/** Under the form, on a phone below the fold: it comes into view and takes the focus. */
function Failure({ failure }: { failure: SendFailure }) {
  return (
    <div ref={bringIntoView} tabIndex={-1} className="scroll-my-4 rounded-control">
      {failure.of === 'upload' ? (
        <Notice tone="bad">{failure.message}</Notice>
      ) : (
        <Notice tone="bad" message={failure.message} />
      )}
    </div>
  )
}

interface WorkFieldsProps {
  form: SchemaForm<Draft, ApplyForm>
  progress: number | null
  onCancelUpload: () => void
  /** Other work was chosen: what was said of the last one counts no more. */
  onChange: () => void
}

function WorkFields({ form, progress, onCancelUpload, onChange }: WorkFieldsProps) {
  const t = useT()
  const type = form.watch('type')
  const file = form.watch('file')
  const link = bound(form, 'link')
  const service = linkName(form.watch('link'))?.service
  const [fileKey, setFileKey] = useState(0)
  const kind = form.register('type', { onChange })
  const chooseFile = (chosen: File | null) => {
    onChange()
    form.setValue('file', chosen)
    // The same file may be chosen again after it was refused.
    setFileKey((key) => key + 1)
    if (chosen) void form.trigger('file')
    else form.clearErrors('file')
  }
  return (
    <>
      <fieldset>
        <legend className="mb-1.5 font-medium">{t('Type')}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          <Radio label={t('Link')} hint={t('A repository, a site, a video')} value="link" {...kind} />
          <Radio label={t('Upload')} hint={t('JPEG, PNG, GIF, PDF or ZIP, at most 10 MB')} value="upload" {...kind} />
        </div>
      </fieldset>
      {type === 'link' ? (
        <Field
          label={t('Project link')}
          error={link.error}
          hint={service ? t('Recognised: {service}', { service }) : undefined}
          required
        >
          <TextInput type="url" inputMode="url" autoComplete="off" placeholder="https://" {...link.control} />
        </Field>
      ) : (
        <Field label={t('File')} error={bound(form, 'file').error} required>
          <FileInput
            key={fileKey}
            file={file}
            onFile={chooseFile}
            accept={ACCEPTED}
            progress={progress}
            onCancel={onCancelUpload}
          />
        </Field>
      )}
    </>
  )
}
