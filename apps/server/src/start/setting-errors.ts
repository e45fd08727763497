import { ConfigError } from '../config.ts'

/** The error for a well-formed setting that cannot be used. `problem` says why, and what it should be. */
export const unusableSetting = (setting: string, problem: string): ConfigError =>
  new ConfigError(`${setting}: ${problem}`)

/** The setting may be correct: its service is unavailable and may become available. */
export class ServiceUnavailable extends ConfigError {}
export const unavailableService = (setting: string, problem: string): ServiceUnavailable =>
  new ServiceUnavailable(`${setting}: ${problem}`)

const REASON_LENGTH_MAX = 600

/** An error's message in one line, with its code unless the message contains it. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  // An AggregateError of several connection attempts has no message.
  if (message === '') return code ?? error.name
  const text = message.replace(/\s+/g, ' ').trim().slice(0, REASON_LENGTH_MAX)
  if (/^fetch failed$/.test(text) && cause !== undefined) return describeError(cause)
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}
