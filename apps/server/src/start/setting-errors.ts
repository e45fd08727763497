import { ConfigError } from '../config.ts'

/** The error for a well-formed setting that cannot be used. `problem` says why, and what it should be. */
export const unusable = (setting: string, problem: string): ConfigError => new ConfigError(`${setting}: ${problem}`)

/** The setting may be correct: its service is unavailable and may become available. */
export class Away extends ConfigError {}
export const away = (setting: string, problem: string): Away => new Away(`${setting}: ${problem}`)

const LENGTH_MAX = 600

/** An error's message in one line, with its code unless the message contains it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  // An AggregateError of several connection attempts has no message.
  if (message === '') return code ?? error.name
  const told = message.replace(/\s+/g, ' ').trim().slice(0, LENGTH_MAX)
  if (/^fetch failed$/.test(told) && cause !== undefined) return reasonOf(cause)
  return code === undefined || told.includes(code) ? told : `${told} (${code})`
}
