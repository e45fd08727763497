import { randomBytes } from 'node:crypto'

/** Maximum length of the escaped name, so that the whole URL has at most 2048 characters. */
const ESCAPED_NAME_LENGTH_MAX = 1200
export const KEY_PATTERN = /^\d{8}-[A-Za-z0-9_-]{32}$/

/** The UTC day as YYYYMMDD. */
const formatDay = (instant: Date): string => instant.toISOString().slice(0, 10).replaceAll('-', '')

/** A new key: the upload day, so that the sweep can list objects by day, and 192 random bits. */
export const createKey = (now = new Date()): string => `${formatDay(now)}-${randomBytes(24).toString('base64url')}`

/** The prefix of all keys of a day. */
export const keyPrefixOfDay = (day: Date): string => `${formatDay(day)}-`

export const isKey = (text: string): boolean => KEY_PATTERN.test(text)

/** The URL of a file. Only the key identifies it; the name is for readers. */
export function createFileUrl(appUrl: string, { key, originalName }: { key: string; originalName: string }): string {
  const name = encodeURIComponent(originalName)
  const displayName =
    name.length <= ESCAPED_NAME_LENGTH_MAX ? name : `file${/\.[a-z]+$/i.exec(originalName)?.[0] ?? ''}`
  // Normalised as the contract's `Link` does, so that a URL sent back to us compares equal.
  return new URL(`/files/${key}/${displayName}`, appUrl).href
}

function keyOfPath(pathname: string): string | null {
  const [, folder, key = ''] = pathname.split('/')
  return folder === 'files' && isKey(key) ? key : null
}

/** The key in one of our file URLs; null for any other URL. */
export function parseFileUrl(appUrl: string, link: string): string | null {
  const url = URL.canParse(link) ? new URL(link) : null
  return url?.origin === new URL(appUrl).origin ? keyOfPath(url.pathname) : null
}

/**
 * Replaces the origin of a stored file URL, which is outdated once APP_URL has changed. Only for URLs that the server stored itself: the
 * path alone cannot tell a file of ours from one of another site. A URL with another path stays as it is.
 */
export function currentFileUrl(appUrl: string, stored: string): string {
  const { pathname } = new URL(stored, appUrl)
  return keyOfPath(pathname) === null ? stored : new URL(pathname, appUrl).href
}
