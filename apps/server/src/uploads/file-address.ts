import { randomBytes } from 'node:crypto'

/** Characters of an escaped name in an address: the whole must stay a link of at most 2048. */
const ESCAPED_NAME_MAX = 1200
const KEY = /^\d{8}-[A-Za-z0-9_-]{32}$/

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10).replaceAll('-', '')

/** A new key: the day, by which leftovers are found, and 192 random bits, which nobody guesses. */
export const newKey = (now = new Date()): string => `${dayOf(now)}-${randomBytes(24).toString('base64url')}`

/** What the keys of a day begin with. */
export const keysOfDay = (day: Date): string => `${dayOf(day)}-`

export const isKey = (text: string): boolean => KEY.test(text)

/** The address a file is read at. Its name is there for people: only the key counts. */
export function fileAddress(appUrl: string, { key, originalName }: { key: string; originalName: string }): string {
  const name = encodeURIComponent(originalName)
  const shown = name.length <= ESCAPED_NAME_MAX ? name : `file${/\.[a-z]+$/i.exec(originalName)?.[0] ?? ''}`
  // As a link is normalised, so that what we hand out and what comes back are one text.
  return new URL(`/files/${key}/${shown}`, appUrl).href
}

/** The key of an address of ours; null for any other link. */
export function keyOfAddress(appUrl: string, link: string): string | null {
  const url = URL.canParse(link) ? new URL(link) : null
  if (url?.origin !== new URL(appUrl).origin) return null
  const [, files, key = ''] = url.pathname.split('/')
  return files === 'files' && isKey(key) ? key : null
}
