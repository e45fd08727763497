import { useEffect, useState } from 'react'
import { type SchemaForm, useSchemaForm } from '../../lib/use-form.ts'
import { deleteDraft, saveDraft, loadDraft } from './work-draft.ts'
import { EMPTY_DRAFT, type WorkDraft } from './work-form.ts'

interface WorkFormOptions {
  /** What the draft is kept under: which form, for what. */
  name: string
  /** What is filled in from the beginning. */
  initialValues: Partial<WorkDraft>
  /** Is a kept draft of use still? */
  isUsable?: (draft: Partial<WorkDraft>) => boolean
}

export interface WorkFormState<Output> {
  form: SchemaForm<WorkDraft, Output>
  /** What was filled in before is there again. */
  hasDraft: boolean
  startOver: () => void
  /** It was sent: nothing is kept. */
  discardDraft: () => void
}

const isSame = (left: WorkDraft, right: WorkDraft): boolean =>
  // Object.keys forgets the type of a record's keys.
  (Object.keys(EMPTY_DRAFT) as (keyof WorkDraft)[]).every((key) => left[key] === right[key])

/** A form whose draft survives: a dialog closed by mistake, a page loaded anew (there without the file). */
export function useWorkForm<Output>(
  schema: { _zod: { output: Output } },
  { name, initialValues, isUsable = () => true }: WorkFormOptions,
): WorkFormState<Output> {
  const [defaults] = useState<WorkDraft>({ ...EMPTY_DRAFT, ...initialValues })
  const [savedDraft] = useState(() => loadDraft(name))
  const restored = savedDraft && isUsable(savedDraft) ? savedDraft : null
  const [hasDraft, setHasDraft] = useState(restored !== null)
  // A schema's input has the field of the chosen kind only; the form keeps all while one changes one's mind.
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
