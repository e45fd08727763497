import { zodResolver } from '@hookform/resolvers/zod'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  useForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form'
import { failureOf } from './failure.ts'

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

/**
 * Puts what a refusal says about fields on those fields, and the focus on the first. Answers their names, in the
 * refusal's order; none when it speaks of no field of this form.
 */
export function landRefusal<Input extends FieldValues, Output>(
  form: SchemaForm<Input, Output>,
  error: unknown,
): FieldPath<Input>[] {
  const values = form.getValues()
  const landed: FieldPath<Input>[] = []
  for (const { msg, path } of failureOf(error).errors) {
    // 'rolesNeeded.0.id' is about the field 'rolesNeeded'; a path that leads to no value is about no field of ours.
    const parts = path.split('.')
    const isKnown = get(values, path) !== undefined
    // The check above is what makes a text a path of this form.
    const name = (isKnown && parts.some((part) => /^\d+$/.test(part)) ? parts[0] : path) as FieldPath<Input>
    if (!isKnown || landed.includes(name)) continue
    form.setError(name, { type: 'server', message: msg }, { shouldFocus: landed.length === 0 })
    landed.push(name)
  }
  return landed
}
