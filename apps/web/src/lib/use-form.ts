import type { SyntheticEvent } from 'react'
import { zodResolver } from '@hookform/resolvers/zod'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  type SubmitErrorHandler,
  useForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form'
import { failureOf } from './failure.ts'
import { useSingleFlight } from './single-flight.ts'

/** Any schema of the contract, by what goes in and what comes out. */
interface FormSchema<Input extends FieldValues, Output> {
  _zod: { input: Input; output: Output }
}

export type SchemaForm<Input extends FieldValues, Output = Input> = UseFormReturn<Input, unknown, Output>

/**
 * A form judged by one of the contract's schemas: `form.handleSubmit((parsed) => ...)` is given the parsed values.
 * Lazy parts only: it brings zod.
 */
export function useSchemaForm<Input extends FieldValues, Output>(
  schema: FormSchema<Input, Output>,
  defaultValues: DefaultValues<Input>,
): SchemaForm<Input, Output> {
  return useForm<Input, unknown, Output>({ resolver: zodResolver(schema), defaultValues })
}

/**
 * What a form's submit does: `onValid` is given the parsed values, and until the promise it answers has ended a second
 * press does nothing.
 */
export function useSubmit<Input extends FieldValues, Output>(
  form: SchemaForm<Input, Output>,
  onValid: (parsed: Output) => Promise<unknown>,
  onInvalid?: SubmitErrorHandler<Input>,
): (event?: SyntheticEvent) => void {
  const submit = useSingleFlight(form.handleSubmit((parsed) => onValid(parsed), onInvalid))
  return (event) => {
    event?.preventDefault()
    void submit()
  }
}

export interface BoundField {
  control: UseFormRegisterReturn
  /** English text, for `<Field error>`. */
  error: string | undefined
}

/** One field for `<Field error={field.error}><TextInput {...field.control} /></Field>`. An error shown is judged again at every change. */
export function bound<Input extends FieldValues, Output>(
  form: SchemaForm<Input, Output>,
  name: FieldPath<Input>,
  options: RegisterOptions<Input, FieldPath<Input>> = {},
): BoundField {
  const { error } = form.getFieldState(name, form.formState)
  const control = form.register(name, {
    ...options,
    onChange: () => {
      if (error) void form.trigger(name)
    },
  })
  return { control, error: error?.message }
}

/** The field a refusal's path is about: 'rolesNeeded.0.id' is about 'rolesNeeded', 'role' about the 'role.id' that stands for it. */
function fieldAt(values: FieldValues, path: string): string | null {
  const value: unknown = get(values, path)
  if (value === undefined) return null
  const listed = path.match(/^(.*?)\.\d+(?:\.|$)/)
  if (listed?.[1]) return listed[1]
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isGroup ? `${path}.${Object.keys(value)[0]}` : path
}

/**
 * Puts what a refusal says about fields on those fields, and the focus on the first. Answers their names, in the
 * refusal's order; none when it speaks of no field of this form.
 */
export function applyServerErrors<Input extends FieldValues, Output>(
  form: SchemaForm<Input, Output>,
  error: unknown,
): FieldPath<Input>[] {
  const landed: FieldPath<Input>[] = []
  for (const { msg, path } of failureOf(error).errors) {
    // It was found among the form's own values: that makes a text one of its paths.
    const name = fieldAt(form.getValues(), path) as FieldPath<Input> | null
    if (name === null || landed.includes(name)) continue
    form.setError(name, { type: 'server', message: msg }, { shouldFocus: landed.length === 0 })
    landed.push(name)
  }
  return landed
}
