import { z } from 'zod'
import { limitText } from './registered-messages.ts'
import { LINK_LENGTH_MAX } from './limits.ts'
import { LINK } from './patterns.ts'

const isSafeLink = (value: string): boolean => {
  if (/[\u0000-\u0020\u007f-\u009f\u202a-\u202e\u2066-\u2069\\]/.test(value)) return false
  if (!/^https?:\/\//i.test(value)) return false
  try {
    const url = new URL(value)
    return (
      (url.protocol === 'https:' || url.protocol === 'http:') &&
      url.username === '' &&
      url.password === '' &&
      url.hostname !== ''
    )
  } catch {
    return false
  }
}
const LONG_LINK = limitText('The link is too long (maximum {n} characters)', LINK_LENGTH_MAX)
/**
 * An http or https URL without credentials or control characters, normalised. The length limit applies before and after normalising.
 * `message` is the error of any other value.
 */
export const linkSchema = (message: string) =>
  z
    .string(message)
    .trim()
    .max(LINK_LENGTH_MAX, { error: LONG_LINK, abort: true })
    .refine(isSafeLink, { error: message, abort: true })
    .overwrite((value) => new URL(value).href)
    .max(LINK_LENGTH_MAX, LONG_LINK)
    .meta({ example: 'https://github.com/atlas-lions/app', pattern: LINK })
