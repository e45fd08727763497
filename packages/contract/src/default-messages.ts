import { z } from 'zod'
import { messageOfSentence } from './registered-messages.ts'
import { createMessage, type Message } from './message.ts'

type RawIssue = z.core.$ZodRawIssue

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
export const unknownFieldMessage = (field: string): Message => createMessage('Unknown field: {field}', { field })

function tooBigMessage(origin: string, maximum: number | bigint): Message {
  const params = { n: Number(maximum) }
  if (origin === 'string') return createMessage('Maximum {n} characters allowed', params)
  return createMessage(origin === 'array' ? 'At most {n} entries' : 'Must be at most {n}', params)
}

function tooSmallMessage(origin: string, minimum: number | bigint): Message {
  const params = { n: Number(minimum) }
  if (origin !== 'string' && origin !== 'array') return createMessage('Must be at least {n}', params)
  if (minimum === 1) return createMessage('This field is required')
  return createMessage(origin === 'string' ? 'At least {n} characters needed' : 'At least {n} entries needed', params)
}

/** The message for an issue whose schema defines none and whose field was given. */
function defaultMessage(issue: RawIssue | z.core.$ZodIssue): Message {
  switch (issue.code) {
    case 'invalid_type':
      return createMessage(TYPE_MESSAGES[issue.expected] ?? 'Not a valid value')
    case 'invalid_value':
      return createMessage('Must be one of: {values}', { values: issue.values.join(', ') })
    case 'too_big':
      return tooBigMessage(issue.origin, issue.maximum)
    case 'too_small':
      return tooSmallMessage(issue.origin, issue.minimum)
    default:
      return createMessage('Not a valid value')
  }
}

function customError(issue: RawIssue): string {
  const isTypeWrong = issue.code === 'invalid_type' || issue.code === 'invalid_value'
  if (isTypeWrong && issue.input === undefined) return 'This field is required'
  if (issue.code !== 'unrecognized_keys') return defaultMessage(issue).message
  return truncateUnknownKeys(issue.keys)
    .map((key) => unknownFieldMessage(key).message)
    .join(', ')
}

// zod calls `customError` last: a schema's own message wins, and zod's built-in messages are never shown.
z.config({ customError })

/** The message of an issue. zod stores only the sentence, so the template is looked up: the default one, or one registered by `limitText`. */
export function messageOfIssue(issue: z.core.$ZodIssue): Message {
  const fallback = defaultMessage(issue)
  if (fallback.message === issue.message) return fallback
  return messageOfSentence(issue.message) ?? { message: issue.message }
}
