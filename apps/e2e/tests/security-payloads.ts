import { readFileSync } from 'node:fs'

/** Hostile names and texts: each would run, load or draw something if it were parsed as markup. */
export const PAYLOADS: readonly string[] = readFileSync(new URL('security-payloads.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
export const payloadAt = (index: number): string => PAYLOADS[index % PAYLOADS.length] ?? ''

/** As many payloads as fit, from the n-th on. */
export function payloadText(length: number, from = 0): string {
  let text = ''
  for (let nth = 0; nth < PAYLOADS.length; nth++) {
    const next = `${text}${payloadAt(from + nth)} `
    if (next.length > length) break
    text = next
  }
  return text.trim()
}

/** The payloads short enough for a name. */
export const payloadsUpTo = (length: number): string[] => PAYLOADS.filter((payload) => payload.length <= length)
