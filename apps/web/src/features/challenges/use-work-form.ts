import { useEffect, useState } from 'react'
import { type SchemaForm, useSchemaForm } from '../../lib/use-form.ts'
import { deleteDraft, saveDraft, loadDraft } from './work-draft.ts'
import { EMPTY_DRAFT, type WorkDraft } from './work-form.ts'

interface WorkFormOptions {
  /** The key of the stored draft, for instance the form and the challenge. */
  name: string
  initialValues: Partial<WorkDraft>
  /** Whether a stored draft can still be submitted. */
  isUsable?: (draft: Partial<WorkDraft>) => boolean
}

interface WorkFormState<Output> {
  form: SchemaForm<WorkDraft, Output>
  /** Whether the form was restored from a draft. */
  hasDraft: boolean
  startOver: () => void
  /** Deletes the draft after a successful submission. */
  discardDraft: () => void
}

const isSame = (left: WorkDraft, right: WorkDraft): boolean =>
  // Object.keys loses the type of a record's keys.
  (Object.keys(EMPTY_DRAFT) as (keyof WorkDraft)[]).every((key) => left[key] === right[key])

/** A form whose draft survives closing the dialog and, except for the file, reloading the page. */
export function useWorkForm<Output>(
  schema: { _zod: { output: Output } },
  { name, initialValues, isUsable = () => true }: WorkFormOptions,
): WorkFormState<Output> {
  const [defaults] = useState<WorkDraft>({ ...EMPTY_DRAFT, ...initialValues })
  const [savedDraft] = useState(() => loadDraft(name))
  const restored = savedDraft && isUsable(savedDraft) ? savedDraft : null
  const [hasDraft, setHasDraft] = useState(restored !== null)
  // The schema's input has only the fields of the chosen kind of work; the form keeps those of all kinds.
  const form = useSchemaForm<WorkDraft, Output>(schema as never, { ...defaults, ...restored })
  useEffect(() => {
    const { unsubscribe } = form.watch(() => {
      const values = form.getValues()
      if (isSame(values, defaults)) deleteDraft(name)
      else saveDraft(name, values)
    })
    return unsubscribe
  }, [form, name, defaults])
  const startOver = () => {
    form.reset(defaults)
    deleteDraft(name)
    setHasDraft(false)
  }
  return { form, hasDraft, startOver, discardDraft: () => deleteDraft(name) }
}
