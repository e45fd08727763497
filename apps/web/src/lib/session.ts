import type { SignInResult } from '@community/contract'
import { ACCESS_TOKEN_TTL } from '@community/contract/limits'
import { useSyncExternalStore } from 'react'
import { languageHeader, t } from './i18n.ts'
import { browserStore } from './storage.ts'
import { toast } from './toasts.ts'

export type CurrentUser = SignInResult['user']

const KEYS = {
  token: 'authToken',
  refreshToken: 'refreshToken',
  user: 'currentUser',
  freshUntil: 'authTokenFreshUntil',
} as const

/** Seconds before its end at which a token is replaced, so that no request leaves with a dying one. */
const MARGIN = 30
const LOCK = 'session-refresh'
const LOCK_LIFE_MS = 10_000

const listeners = new Set<() => void>()
let cachedText: string | null = null
let cachedUser: CurrentUser | null = null

function notify(): void {
  for (const listener of listeners) listener()
}

/** The signed-in person as stored, or null. The same object until the stored text changes. */
export function currentUser(): CurrentUser | null {
  const text = browserStore.read(KEYS.user)
  if (text === cachedText) return cachedUser
  cachedText = text
  // Written by `storeSession` alone; the server checks every call anyway.
  cachedUser = browserStore.readJson(KEYS.user) as CurrentUser | null
  return cachedUser
}

/** The bearer token as stored, fresh or not. */
export const accessToken = (): string | null => browserStore.read(KEYS.token)

export const storedRefreshToken = (): string | null => browserStore.read(KEYS.refreshToken)

/** Keeps what a sign-in or a refresh answered. Every tab learns of it. */
export function storeSession({ user, token, refreshToken }: SignInResult): void {
  // Other tabs see one write after the other: the new token after its time, or it would seem over and be replaced once more.
  browserStore.write(KEYS.refreshToken, refreshToken)
  browserStore.write(KEYS.freshUntil, String(Date.now() + (ACCESS_TOKEN_TTL - MARGIN) * 1000))
  browserStore.write(KEYS.token, token)
  browserStore.writeJson(KEYS.user, user)
  notify()
}

/** Keeps a newer version of the signed-in person, as the profile calls answer it. */
export function storeUser(user: CurrentUser): void {
  browserStore.writeJson(KEYS.user, user)
  notify()
}

/** Forgets the person and both tokens. */
export function clearSession(): void {
  for (const key of Object.values(KEYS)) browserStore.drop(key)
  notify()
}

async function requestRefresh(): Promise<boolean> {
  const refreshToken = browserStore.read(KEYS.refreshToken)
  if (!refreshToken) return false
  let response: Response
  try {
    response = await fetch('/api/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...languageHeader() },
      body: JSON.stringify({ refreshToken }),
      signal: AbortSignal.timeout(LOCK_LIFE_MS),
    })
  } catch {
    return false
  }
  if (response.ok) {
    // The envelope of the contract's auth.refresh, or a page that somebody's network put in its place.
    const body = (await response.json().catch(() => null)) as { data?: SignInResult } | null
    if (!body?.data) return false
    storeSession(body.data)
    return true
  }
  // A busy or broken server does not end a session; a refusal does.
  if (response.status === 400 || response.status === 401 || response.status === 403) {
    clearSession()
    // Nobody pressed anything: without a word it would look like a fault.
    toast.info(t('Your session has ended. Please sign in again.'))
  }
  return false
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Where navigator.locks is missing: a dated note in the storage; the server's grace for two tabs covers the race that is left. */
async function withStorageLock(work: () => Promise<boolean>): Promise<boolean> {
  const heldSince = () => Number(browserStore.read(LOCK) ?? 0)
  while (Date.now() - heldSince() < LOCK_LIFE_MS) await pause(100)
  browserStore.write(LOCK, String(Date.now()))
  try {
    return await work()
  } finally {
    browserStore.drop(LOCK)
  }
}

// Typed as always there, yet null or missing outside secure contexts.
const locks: LockManager | null | undefined = navigator.locks

/** A browser that forbids the storage refuses its locks too. */
const withLock = (work: () => Promise<boolean>): Promise<boolean> =>
  locks ? locks.request(LOCK, work).catch(() => withStorageLock(work)) : withStorageLock(work)

let inFlight: Promise<boolean> | null = null

/**
 * Replaces the token pair: one request for all tabs, however many calls need it.
 * `spent` is the token that was refused: when another tab has replaced it already, nothing is asked. True: a newer token is stored.
 */
export function refreshSession(spent: string | null = accessToken()): Promise<boolean> {
  const replaced = () => accessToken() !== null && accessToken() !== spent
  inFlight ??= withLock(async () => replaced() || (await requestRefresh())).finally(() => {
    inFlight = null
  })
  return inFlight
}

/** The token to send now: replaced first when it is about to end. Null for a visitor. */
export async function freshToken(): Promise<string | null> {
  const token = accessToken()
  if (token === null) return null
  if (Date.now() > Number(browserStore.read(KEYS.freshUntil) ?? 0)) await refreshSession(token)
  return accessToken()
}

const ALL_KEYS: readonly string[] = Object.values(KEYS)
window.addEventListener('storage', (event) => {
  if (event.key === null || ALL_KEYS.includes(event.key)) notify()
})

/** Calls back whenever somebody signs in or out, here or in another tab. */
export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The signed-in person; null for a visitor. */
export function useUser(): CurrentUser | null {
  return useSyncExternalStore(subscribeSession, currentUser)
}

export const isAdmin = (user: CurrentUser | null): boolean => user?.role === 'admin'
