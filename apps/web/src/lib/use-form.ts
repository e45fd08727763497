import { type SyntheticEvent, useRef, useState } from 'react'
import type { Message } from '@community/contract'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  useForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form'
import { failureOf, fieldMessage } from './failure.ts'
import { findChanges, loadDraft, useStoredDraft } from './form-draft.ts'
import { type FormSchema, messageOf, schemaResolver } from './schema-resolver.ts'
import { useSingleFlight } from './single-flight.ts'
import { toast, type ToastContent } from './toasts.ts'

export type SchemaForm<Input extends FieldValues, Output = Input> = UseFormReturn<Input, unknown, Output>

/** Creates a form that a schema of the contract validates. Import this module only from lazily loaded chunks, because it includes zod. */
export function useSchemaForm<Input extends FieldValues, Output>(
  schema: FormSchema<Input, Output>,
  defaultValues: DefaultValues<Input>,
): SchemaForm<Input, Output> {
  return useForm<Input, unknown, Output>({ resolver: schemaResolver(schema), defaultValues })
}

interface FormDraft<Input> {
  /** Whether the form was restored from it. */
  isRestored: boolean
  /** Resets the form to the saved values. */
  startOver: () => void
  /** Call it when values have been saved, by default all of the form: only later changes are then stored as a draft. */
  markSaved: (values?: Partial<Input>) => void
  /** Of the validated values, those of the fields that the user changed since the form was filled or saved. */
  pickChanged: <Parsed extends object>(parsed: Parsed) => Partial<Parsed>
  /** Resets the form to what has been saved, but keeps what was typed since `submitted`. */
  showSaved: (values: Input, submitted: Input) => void
}

/**
 * The same, with a draft: unsaved changes are stored when the form closes, and restored when the same user opens it again in this tab. Not
 * for a form with a password, because the draft is plain text.
 */
export function useDraftForm<Input extends FieldValues, Output>(
  schema: FormSchema<Input, Output>,
  defaultValues: Input & DefaultValues<Input>,
  draftName: string,
): { form: SchemaForm<Input, Output>; draft: FormDraft<Input> } {
  const [restored] = useState(() => loadDraft(draftName, defaultValues))
  const [isRestored, setRestored] = useState(restored !== null)
  const saved = useRef<Input & DefaultValues<Input>>(defaultValues)
  const form = useSchemaForm(schema, Object.assign({}, defaultValues, restored))
  useStoredDraft(draftName, saved, form.getValues)
  const startOver = () => {
    form.reset(saved.current)
    setRestored(false)
  }
  const markSaved = (values: Partial<Input> = form.getValues()) => {
    saved.current = Object.assign({}, saved.current, structuredClone(values))
    setRestored(false)
  }
  const pickChanged = <Parsed extends object>(parsed: Parsed) => {
    const changes = findChanges(saved.current, form.getValues()) ?? {}
    // Entries of `parsed` itself.
    return Object.fromEntries(Object.entries(parsed).filter(([name]) => name in changes)) as Partial<Parsed>
  }
  const showSaved = (values: Input, submitted: Input) => {
    form.reset(Object.assign({}, values, findChanges(submitted, form.getValues())))
    markSaved(values)
  }
  return { form, draft: { isRestored, startOver, markSaved, pickChanged, showSaved } }
}

/**
 * The submit handler of a form. Ignores further submits until the promise of `onValid` settles. `onInvalid` returns the toast
 * of an invalid form, where the specification names one.
 */
export function useSubmit<Input extends FieldValues, Output>(
  form: SchemaForm<Input, Output>,
  onValid: (parsed: Output) => Promise<unknown>,
  onInvalid?: (errors: FieldErrors<Input>) => ToastContent | undefined,
): (event?: SyntheticEvent) => void {
  const showInvalid = (errors: FieldErrors<Input>) => {
    const content = onInvalid?.(errors)
    if (content) toast.show(content)
  }
  const submit = useSingleFlight(form.handleSubmit((parsed) => onValid(parsed), showInvalid))
  return (event) => {
    event?.preventDefault()
    void submit()
  }
}

export interface RegisteredField {
  control: UseFormRegisterReturn
  error: Message | undefined
}

/** A field for `<Field error={field.error}><TextInput {...field.control} /></Field>`. An error is validated again at every change. */
export function registerField<Input extends FieldValues, Output>(
  form: SchemaForm<Input, Output>,
  name: FieldPath<Input>,
  options: RegisterOptions<Input, FieldPath<Input>> = {},
): RegisteredField {
  const { error } = form.getFieldState(name, form.formState)
  const control = form.register(name, {
    ...options,
    onChange: () => {
      if (error) void form.trigger(name)
    },
  })
  return { control, error: messageOf(error) }
}

/** The form field of an error's path: 'rolesNeeded' for 'rolesNeeded.0.id', 'role.id' for 'role'. */
function fieldAt(values: FieldValues, path: string): string | null {
  const value: unknown = get(values, path)
  if (value === undefined) return null
  const listed = path.match(/^(.*?)\.\d+(?:\.|$)/)
  if (listed?.[1]) return listed[1]
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isGroup ? `${path}.${Object.keys(value)[0]}` : path
}

/** Shows a server error at the form's fields and focuses the first. Returns the names of those fields, maybe none. */
export function applyServerErrors<Input extends FieldValues, Output>(
  form: SchemaForm<Input, Output>,
  error: unknown,
): FieldPath<Input>[] {
  const names: FieldPath<Input>[] = []
  for (const field of failureOf(error).errors) {
    // It exists in the form's values, so it is one of its paths.
    const name = fieldAt(form.getValues(), field.path) as FieldPath<Input> | null
    if (name === null || names.includes(name)) continue
    form.setError(name, { type: 'server', ...fieldMessage(field) }, { shouldFocus: names.length === 0 })
    names.push(name)
  }
  return names
}

/** Shows an error's field errors on a form, for an action's `fields`. */
export const fieldErrorsOf =
  <Input extends FieldValues, Output>(form: SchemaForm<Input, Output>) =>
  (error: unknown): boolean =>
    applyServerErrors(form, error).length > 0
