import { useEffect, useState } from 'react'
import { type SchemaForm, useSchemaForm } from '../../lib/use-form.ts'
import { dropDraft, keepDraft, keptDraft } from './work-draft.ts'
import { EMPTY_DRAFT, type WorkDraft } from './work-form.ts'

interface WorkFormOptions {
  /** What the draft is kept under: which form, for what. */
  name: string
  /** What is filled in from the beginning. */
  start: Partial<WorkDraft>
  /** Is a kept draft of use still? */
  isUsable?: (draft: Partial<WorkDraft>) => boolean
}

export interface WorkFormState<Output> {
  form: SchemaForm<WorkDraft, Output>
  /** What was filled in before is there again. */
  hasDraft: boolean
  startOver: () => void
  /** It was sent: nothing is kept. */
  forget: () => void
}

const isSame = (one: WorkDraft, other: WorkDraft): boolean =>
  // Object.keys forgets the type of a record's keys.
  (Object.keys(EMPTY_DRAFT) as (keyof WorkDraft)[]).every((key) => one[key] === other[key])

/** A form whose draft survives: a dialog closed by mistake, a page loaded anew (there without the file). */
export function useWorkForm<Output>(
  schema: { _zod: { output: Output } },
  { name, start, isUsable = () => true }: WorkFormOptions,
): WorkFormState<Output> {
  const [first] = useState<WorkDraft>({ ...EMPTY_DRAFT, ...start })
  const [kept] = useState(() => keptDraft(name))
  const restored = kept && isUsable(kept) ? kept : null
  const [hasDraft, setHasDraft] = useState(restored !== null)
  // A schema's input has the field of the chosen kind only; the form keeps all while one changes one's mind.
  const form = useSchemaForm<WorkDraft, Output>(schema as never, { ...first, ...restored })
  useEffect(() => {
    const { unsubscribe } = form.watch(() => {
      const filled = form.getValues()
      if (isSame(filled, first)) dropDraft(name)
      else keepDraft(name, filled)
    })
    return unsubscribe
  }, [form, name, first])
  const startOver = () => {
    form.reset(first)
    dropDraft(name)
    setHasDraft(false)
  }
  return { form, hasDraft, startOver, forget: () => dropDraft(name) }
}
