import { z } from 'zod'

type Issue = z.core.$ZodRawIssue

const TYPE_MESSAGES: Partial<Record<string, string>> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
  null: 'Must be null',
}

/** Lists at most 20 unknown fields of 64 characters, so that a small request cannot cause a large response. */
export const truncateUnknownKeys = (keys: readonly string[]): string[] =>
  keys.slice(0, 20).map((key) => key.slice(0, 64))
export const unknownFieldMessage = (key: string): string => `Unknown field: ${key}`

const tooBigMessage = (origin: string, maximum: number | bigint): string => {
  if (origin === 'string') return `Maximum ${maximum} characters allowed`
  return origin === 'array' ? `At most ${maximum} entries` : `Must be at most ${maximum}`
}

const tooSmallMessage = (origin: string, minimum: number | bigint): string => {
  if (origin !== 'string' && origin !== 'array') return `Must be at least ${minimum}`
  if (minimum === 1) return 'This field is required'
  return origin === 'string' ? `At least ${minimum} characters needed` : `At least ${minimum} entries needed`
}

/** The message for an issue whose schema defines none: ids and patterns of the message catalog. */
function defaultMessage(issue: Issue): string {
  const isMissing = issue.input === undefined
  switch (issue.code) {
    case 'invalid_type':
      return isMissing ? 'This field is required' : (TYPE_MESSAGES[issue.expected] ?? 'Not a valid value')
    case 'invalid_value':
      return isMissing ? 'This field is required' : `Must be one of: ${issue.values.join(', ')}`
    case 'too_big':
      return tooBigMessage(issue.origin, issue.maximum)
    case 'too_small':
      return tooSmallMessage(issue.origin, issue.minimum)
    case 'unrecognized_keys':
      return truncateUnknownKeys(issue.keys).map(unknownFieldMessage).join(', ')
    default:
      return 'Not a valid value'
  }
}

// zod calls `customError` last: a schema's own message wins, and zod's built-in messages are never shown.
z.config({ customError: defaultMessage })
