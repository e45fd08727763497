import { NOTES_LENGTH_MAX } from '@community/contract/limits'
import { type ReactNode, useEffect } from 'react'
import { useController } from 'react-hook-form'
import { LINK_KINDS } from '../../components/link-kinds.ts'
import { parseLink } from '../../components/parse-link.ts'
import { useT } from '../../lib/i18n.ts'
import { messageOf } from '../../lib/schema-resolver.ts'
import { registerField, type SchemaForm } from '../../lib/use-form.ts'
import { Radio } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { FileInput } from '../../ui/file-input.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { ACCEPTED } from './upload-rules.ts'
import type { WorkSubmission } from './submit-work.ts'
import type { WorkDraft } from './work-form.ts'

interface WorkFieldsProps<Output> {
  form: SchemaForm<WorkDraft, Output>
  submission: WorkSubmission
  /** The earlier work; offers to submit it again. */
  sameWork?: ReactNode
}

/** The work to submit: a link or a file, with notes. Changing it clears the errors of the last attempt. */
export function WorkFields<Output>({ form, submission, sameWork }: WorkFieldsProps<Output>) {
  const t = useT()
  const type = form.watch('type')
  const typeField = form.register('type', { onChange: submission.clearFailure })
  return (
    <>
      <fieldset>
        <legend className="mb-1.5 font-medium">{t('Type')}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {sameWork && (
            <Radio label={t('The same work')} hint={sameWork} value="same" className="sm:col-span-2" {...typeField} />
          )}
          <Radio label={t('Link')} hint={t('A repository, a site, a video')} value="link" {...typeField} />
          <Radio
            label={t('Upload')}
            hint={t('JPEG, PNG, GIF, PDF or ZIP, up to 10 MB')}
            value="upload"
            {...typeField}
          />
        </div>
      </fieldset>
      {type === 'link' && <LinkField form={form} />}
      {type === 'upload' && <FileField form={form} submission={submission} />}
      {type !== 'same' && (
        <Field label={t('Notes')} error={registerField(form, 'notes').error}>
          <TextArea {...form.register('notes')} max={NOTES_LENGTH_MAX} rows={3} />
        </Field>
      )}
    </>
  )
}

function LinkField<Output>({ form }: Pick<WorkFieldsProps<Output>, 'form'>) {
  const t = useT()
  const link = registerField(form, 'link')
  return (
    <Field
      label={t('Project link')}
      error={link.error}
      hint={<RecognisedService address={form.watch('link')} />}
      required
    >
      <TextInput type="url" inputMode="url" autoComplete="off" placeholder="https://" {...link.control} />
    </Field>
  )
}

/** A preview of the link; nothing for a link of an unknown service. */
function RecognisedService({ address }: { address: string }) {
  const t = useT()
  const link = parseLink(address)
  if (!link || (!link.service && link.kind === 'page')) {
    return t('Links to GitHub, Figma, YouTube, Google Drive, SoundCloud and others are recognised.')
  }
  const { label, Icon } = LINK_KINDS[link.kind]
  const service = link.service ? `${link.service} · ${t(label)}` : t(label)
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-ok">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {t('Recognised: {service}', { service })}
    </span>
  )
}

function FileField<Output>({ form, submission }: Pick<WorkFieldsProps<Output>, 'form' | 'submission'>) {
  const t = useT()
  // Not `register`: it would read the file from the input, which has none after a draft was restored.
  const { field, fieldState } = useController({ control: form.control, name: 'file' })
  const { ref, value } = field
  const { setFocus } = form
  const isRejected = fieldState.error?.type === 'server'
  // Not when the error is set: the upload's progress is still shown in place of the button that removes the file.
  useEffect(() => {
    if (isRejected) setFocus('file')
  }, [isRejected, setFocus])
  const choose = (chosen: File | null) => {
    submission.clearFailure()
    form.setValue('file', chosen)
    if (chosen) void form.trigger('file')
    else form.clearErrors('file')
  }
  return (
    <Field label={t('File')} error={messageOf(fieldState.error)} required>
      <FileInput
        ref={ref}
        file={value}
        onFile={choose}
        accept={ACCEPTED}
        progress={submission.progress}
        onCancel={submission.cancel}
      />
    </Field>
  )
}
