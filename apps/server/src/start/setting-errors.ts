import { ConfigError } from '../config.ts'

/** Stops the start: a setting that is well-formed cannot be used. `problem` says why, and what it should be. */
export const unusable = (setting: string, problem: string): ConfigError => new ConfigError(`${setting}: ${problem}`)

/** Nothing may be wrong with the setting: what it names is away, and may come. */
export class Away extends ConfigError {}
export const away = (setting: string, problem: string): Away => new Away(`${setting}: ${problem}`)

const LENGTH_MAX = 600

/** What an error says, in one line: the system's code where the message does not hold it already. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  // Where several addresses were tried, the error that holds theirs has no words of its own.
  if (message === '') return code ?? error.name
  const told = message.replace(/\s+/g, ' ').trim().slice(0, LENGTH_MAX)
  if (/^fetch failed$/.test(told) && cause !== undefined) return reasonOf(cause)
  return code === undefined || told.includes(code) ? told : `${told} (${code})`
}
