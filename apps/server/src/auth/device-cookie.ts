import { randomBytes } from 'node:crypto'
import { limits } from '@community/contract'
import type { Context } from '../context.ts'
import { cookieName } from '../http/cookies.ts'
import type { UserRow } from '../users/account-queries.ts'
import { equalsInConstantTime } from './secret.ts'

/** Entries are bound to the password hash: a new password invalidates them. */
export type DeviceOwner = Pick<UserRow, 'id' | 'passwordHash'>

const COOKIE_NAME = 'community_devices'
const MAX_AGE = 365 * limits.DAY
/** Accounts remembered per browser, newest first, so that a shared computer does not grow the header. */
const ENTRIES_MAX = 8
const ENTRY = /^([\w-]{22})~([0-9a-f]{64})$/

const signEntry = ({ deps }: Context, { id, passwordHash }: DeviceOwner, deviceId: string): string =>
  deps.secret.hmac('device', id, passwordHash ?? '', deviceId)

const readEntries = ({ deps, request }: Context): string[] =>
  (request.cookie(cookieName(deps.config, COOKIE_NAME)) ?? '').split('.').slice(0, ENTRIES_MAX)

/** The device id of an entry signed for this account. */
function verifyEntry(ctx: Context, owner: DeviceOwner, entry: string): string | undefined {
  const [, deviceId = '', signature = ''] = ENTRY.exec(entry) ?? []
  return equalsInConstantTime(signature, signEntry(ctx, owner, deviceId)) ? deviceId : undefined
}

/**
 * The id of a device that has signed in to this account before, from its signed cookie (OWASP: "slow down online guessing attacks with
 * device cookies"). Its wrong attempts are counted separately from those of strangers.
 */
export function readDeviceCookie(ctx: Context, owner: DeviceOwner | undefined): string | undefined {
  if (!owner) return undefined
  for (const entry of readEntries(ctx)) {
    const deviceId = verifyEntry(ctx, owner, entry)
    if (deviceId !== undefined) return deviceId
  }
  return undefined
}

/** Adds an account to the browser's device cookie, replacing its earlier entry. */
export function setDeviceCookie(ctx: Context, owner: DeviceOwner): void {
  const deviceId = readDeviceCookie(ctx, owner) ?? randomBytes(16).toString('base64url')
  const others = readEntries(ctx).filter((entry) => ENTRY.test(entry) && !entry.startsWith(`${deviceId}~`))
  const entries = [`${deviceId}~${signEntry(ctx, owner, deviceId)}`, ...others].slice(0, ENTRIES_MAX)
  ctx.request.setCookie(cookieName(ctx.deps.config, COOKIE_NAME), entries.join('.'), MAX_AGE)
}
