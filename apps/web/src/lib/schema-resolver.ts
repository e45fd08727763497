import { type Message, messageOfIssue } from '@community/contract'
import { toNestErrors } from '@hookform/resolvers'
import { type FieldError, type FieldValues, get, type Resolver, type ResolverOptions } from 'react-hook-form'
import type { z } from 'zod'
import { msg } from './msg.ts'

type Issue = z.core.$ZodIssue

/** A schema of the contract, by its input and output types. */
export interface FormSchema<Input extends FieldValues, Output> {
  _zod: { input: Input; output: Output }
}

/** For a union, the issues of the option with the fewest: a form shows one message for a field. */
const issuesOfClosestOption = (issue: Issue): Issue[] => {
  const options = issue.code === 'invalid_union' ? issue.errors : []
  const [closest] = options.toSorted((one, other) => one.length - other.length)
  if (!closest?.length) return [issue]
  return closest.flatMap((inner) => issuesOfClosestOption({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** The code in the params of a custom rule, or else zod's. */
const codeOf = (issue: Issue): string => String((issue.code === 'custom' && issue.params?.['code']) || issue.code)

/** The names of the date and number fields with incomplete input: browsers report it as the value '', like an empty field. */
const findIncompleteFields = <Input extends FieldValues>({ names = [], fields }: ResolverOptions<Input>): string[] =>
  names.filter((name) => {
    const field: { ref?: Partial<HTMLInputElement> } | undefined = get(fields, name)
    return field?.ref?.validity?.badInput
  })

/** Validates a form by a schema. `zodResolver` would drop the template and params that translate a message. */
export const schemaResolver =
  <Input extends FieldValues, Output>(schema: FormSchema<Input, Output>): Resolver<Input, unknown, Output> =>
  async (values, _context, options) => {
    const { data, error } = (schema as unknown as z.ZodType<Output>).safeParse(values)
    const incomplete = findIncompleteFields(options)
    if (!error && incomplete.length === 0) return { values: data, errors: {} }
    const found: Record<string, FieldError & Message> = {}
    // The first issue of a field wins.
    for (const issue of (error?.issues ?? []).flatMap(issuesOfClosestOption))
      found[issue.path.join('.')] ??= { type: codeOf(issue), ...messageOfIssue(issue) }
    for (const name of incomplete) found[name] ??= { type: 'badInput', message: msg('Complete this field or clear it') }
    return { values: {}, errors: toNestErrors(found, options) }
  }

/** The message of a form's error. */
export const messageOf = (error: FieldError | undefined): Message | undefined =>
  // `schemaResolver` and `applyServerErrors` write all errors, with a Message in each.
  error?.message === undefined ? undefined : (error as FieldError & Message)
