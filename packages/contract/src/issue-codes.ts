import type { z } from 'zod'
import type { MessageParams } from './message.ts'

/** The code of the rule that a field broke. Codes are stable; new ones may be added. */
export interface IssueCode {
  code: string
  /** The limit or the choices of the rule. */
  params?: MessageParams
}

const SIZES: Record<string, { small: string; big: string }> = {
  string: { small: 'TOO_SHORT', big: 'TOO_LONG' },
  array: { small: 'TOO_FEW', big: 'TOO_MANY' },
  number: { small: 'TOO_SMALL', big: 'TOO_BIG' },
}
const sizesOf = (origin: string) => SIZES[origin] ?? { small: 'TOO_SMALL', big: 'TOO_BIG' }

/** The code of an issue; `params` are there whatever its message says. */
export function codeOfIssue(issue: z.core.$ZodIssue): IssueCode {
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'INVALID_TYPE' }
    case 'invalid_format':
      return { code: 'INVALID_FORMAT' }
    case 'invalid_value':
      return { code: 'INVALID_VALUE', params: { values: issue.values.join(', ') } }
    case 'too_small':
      return { code: sizesOf(issue.origin).small, params: { n: Number(issue.minimum) } }
    case 'too_big':
      return { code: sizesOf(issue.origin).big, params: { n: Number(issue.maximum) } }
    case 'custom':
      return { code: typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'INVALID' }
    default:
      return { code: 'INVALID' }
  }
}
