import { parseJson } from './parse-json.ts'
import type { SignInResult } from '@community/contract'
import { ACCESS_TOKEN_TTL } from '@community/contract/limits'
import { NETWORK_TEXT, parseAppError, TransportError } from './failure.ts'
import { languageHeader, msg, t } from './i18n.ts'
import { browserStore } from './storage.ts'
import { createSignal } from './store.ts'
import { toast } from './toasts.ts'

export type CurrentUser = SignInResult['user']

const KEYS = {
  token: 'authToken',
  refreshToken: 'refreshToken',
  user: 'currentUser',
  refreshAt: 'authTokenFreshUntil',
} as const

/** Seconds before its expiry at which a token is refreshed. */
const REFRESH_MARGIN = 30
const LOCK = 'session-refresh'
const LOCK_TTL_MS = 10_000

const sessionChange = createSignal()
let cachedText: string | null = null
let cachedUser: CurrentUser | null = null

/** The stored user, or null. Returns the same object until the stored text changes. */
export function currentUser(): CurrentUser | null {
  const text = browserStore.read(KEYS.user)
  if (text === cachedText) return cachedUser
  cachedText = text
  // Only `storeSession` and `storeUser` write this key.
  cachedUser = browserStore.readJson(KEYS.user) as CurrentUser | null
  return cachedUser
}

/** The stored bearer token, which may have expired. */
export const accessToken = (): string | null => browserStore.read(KEYS.token)

export const storedRefreshToken = (): string | null => browserStore.read(KEYS.refreshToken)

/** Stores the response of a sign-in or a refresh. Other tabs notice. */
export function storeSession({ user, token, refreshToken }: SignInResult): void {
  // Other tabs see the writes one by one: a new token with the old expiry would be refreshed again.
  browserStore.write(KEYS.refreshToken, refreshToken)
  browserStore.write(KEYS.refreshAt, String(Date.now() + (ACCESS_TOKEN_TTL - REFRESH_MARGIN) * 1000))
  browserStore.write(KEYS.token, token)
  browserStore.writeJson(KEYS.user, user)
  sessionChange.emit()
}

/** Stores a newer version of the signed-in user; ignores a late response about anybody else. */
export function storeUser(user: CurrentUser): void {
  if (currentUser()?.id !== user.id) return
  browserStore.writeJson(KEYS.user, user)
  sessionChange.emit()
}

/** Removes the stored user and both tokens. */
export function clearSession(): void {
  for (const key of Object.values(KEYS)) browserStore.remove(key)
  sessionChange.emit()
}

/** Why a session has ended, by the key that is written for a moment only, so that each other tab gets an event. */
const END_TEXTS = {
  endedSession: msg('Your session has ended. Please sign in again.'),
  failedSession: msg('The service had a problem, so you were signed out. Please sign in again.'),
}
let endedUserId: string | null = null
/** The user whose session the server has ended; null if none has ended since the page was loaded. */
export const userOfEndedSession = (): string | null => endedUserId

const explainEnd = (key: keyof typeof END_TEXTS) => toast.info(t(END_TEXTS[key]))

/** Removes a session, with an explanation in all tabs: the user did nothing. The server rejected it, or failed at the start. */
export function endSession(isServerFailure = false): void {
  const key = isServerFailure ? 'failedSession' : 'endedSession'
  endedUserId = currentUser()?.id ?? null
  // Other tabs must know the user before they see the session removed.
  browserStore.write(key, endedUserId ?? '')
  browserStore.remove(key)
  clearSession()
  explainEnd(key)
}

/** Whether newer tokens were stored; null if no response came. */
async function requestRefresh(): Promise<boolean | null> {
  const refreshToken = browserStore.read(KEYS.refreshToken)
  if (!refreshToken) return false
  let response: Response
  let text: string
  try {
    response = await fetch('/api/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...languageHeader() },
      body: JSON.stringify({ refreshToken }),
      signal: AbortSignal.timeout(LOCK_TTL_MS),
    })
    text = await response.text()
  } catch {
    return null
  }
  // A firewall may answer with JSON of its own.
  const body = parseJson(text) as { data?: SignInResult } | null
  // Meanwhile the user has signed out, or somebody else has signed in.
  if (browserStore.read(KEYS.refreshToken) !== refreshToken) return false
  if (response.ok && body?.data) {
    storeSession(body.data)
    return true
  }
  // Only a rejection by the API ends the session, not an unavailable server.
  if ([400, 401, 403].includes(response.status) && parseAppError(body)) endSession()
  return false
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Without navigator.locks: a lock in Web Storage. Its race is covered by the server, which accepts a used refresh token for a minute. */
async function withStorageLock<T>(work: () => Promise<T>): Promise<T> {
  const heldSince = () => Number(browserStore.read(LOCK))
  while (Date.now() - heldSince() < LOCK_TTL_MS) await pause(100)
  browserStore.write(LOCK, String(Date.now()))
  try {
    return await work()
  } finally {
    browserStore.remove(LOCK)
  }
}

// Missing outside secure contexts, which its type does not say.
const locks: LockManager | null | undefined = navigator.locks

/** A browser that blocks Web Storage rejects locks too. */
const withLock = <T>(work: () => Promise<T>): Promise<T> =>
  locks ? locks.request(LOCK, work).catch(() => withStorageLock(work)) : withStorageLock(work)

let inFlight: Promise<boolean> | null = null

/**
 * Refreshes the tokens, with one request for all tabs; with none if another tab has already replaced `rejected`, the token that the server
 * rejected. Returns whether a newer token is stored. Throws a TransportError if no response came: the session may still be valid.
 */
export function refreshSession(rejected: string | null = accessToken()): Promise<boolean> {
  const replaced = () => (accessToken() ?? rejected) !== rejected
  inFlight ??= withLock(async () => replaced() || requestRefresh())
    .then((isRefreshed) => isRefreshed ?? Promise.reject(new TransportError('network', NETWORK_TEXT)))
    .finally(() => {
      inFlight = null
    })
  return inFlight
}

/** The token to send, refreshed if it is about to expire. Null for a visitor. */
export async function freshToken(): Promise<string | null> {
  const token = accessToken()
  if (token === null) return null
  if (Date.now() > Number(browserStore.read(KEYS.refreshAt))) await refreshSession(token).catch(() => {})
  return accessToken()
}

/** Sends a request with the token, and once more with a new token if the server says that it expired. */
export async function sendWithToken<R extends { status: number }>(
  send: (token: string | null) => Promise<R>,
): Promise<R> {
  const token = await freshToken()
  const response = await send(token)
  const isTokenExpired = response.status === 401 && token !== null
  return isTokenExpired && (await refreshSession(token)) ? send(await freshToken()) : response
}

const ALL_KEYS: readonly string[] = Object.values(KEYS)
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === null || ALL_KEYS.includes(key)) sessionChange.emit()
  if ((key !== 'endedSession' && key !== 'failedSession') || !newValue) return
  endedUserId = newValue
  explainEnd(key)
})

/** Calls back when the session changes, here or in another tab. Returns a function that unsubscribes. */
export const subscribeSession = sessionChange.subscribe

/** The signed-in user; null for a visitor. */
export const useUser = (): CurrentUser | null => sessionChange.use(currentUser)

export const isAdmin = (user: CurrentUser | null): boolean => user?.role === 'admin'
