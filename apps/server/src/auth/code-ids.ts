import { randomBytes } from 'node:crypto'
import { limits } from '@community/contract'
import { z } from 'zod'
import { ipKey } from '../http/client-ip.ts'
import type { Context } from '../context.ts'
import { cookieName } from '../http/cookies.ts'
import { type DeviceOwner, readDeviceCookie } from './device-cookie.ts'
import { unsealJson } from './secret.ts'

/** The flows whose first step returns an id. An external sign-in is bound to its browser instead. */
type Purpose = 'sign-in' | 'registration' | 'reset'

/** Seconds. A sign-in's id lasts as long as its codes; the others last as long as failures are counted. */
const MAX_AGE: Record<Purpose, number> = {
  'sign-in': limits.SIGN_IN_TTL,
  registration: limits.DAY,
  reset: limits.DAY,
}

const CodeIdPayload = z.object({
  purpose: z.string(),
  email: z.string(),
  nonce: z.string(),
  /** The rate limit key of the caller's IP address. */
  ipKey: z.string(),
  /** In milliseconds. */
  expiresAt: z.number(),
})
type CodeIdPayload = z.output<typeof CodeIdPayload>

const cookieNameFor = ({ deps }: Context, purpose: Purpose): string =>
  cookieName(deps.config, `community_${purpose.replace('-', '_')}`)

/**
 * Creates the id that separates the caller's attempts from those of strangers who only know the email, and sets it as a cookie. It
 * contains its data encrypted: nothing is stored, and an unknown email gets an id like any other.
 */
export function issueCodeId(ctx: Context, purpose: Purpose, email: string): string {
  const content: CodeIdPayload = {
    purpose,
    email,
    nonce: randomBytes(16).toString('base64url'),
    ipKey: ipKey(ctx.request.ip),
    expiresAt: Date.now() + MAX_AGE[purpose] * 1000,
  }
  const id = ctx.deps.secret.seal(JSON.stringify(content))
  ctx.request.setCookie(cookieNameFor(ctx, purpose), id, MAX_AGE[purpose])
  return id
}

export const clearCodeId = (ctx: Context, purpose: Purpose): void =>
  ctx.request.clearCookie(cookieNameFor(ctx, purpose))

/** Attempts counted separately from the shared pool. */
export interface AttemptPool {
  /** Part of the counters' keys. */
  name: string
  /** The daily limits for failures over all codes. */
  failures: { name: string; max: number }[]
  /** A known device, or an id that requires the password. Anyone gets the other ids, for any email. */
  isTrusted: boolean
}

/** Over all ids of an email: three times the limit of one IP address, as with wrong passwords. */
const FAILURES_OF_ALL_IDS_MAX = 3 * limits.CODE_FAILURES_PER_DAY

function poolForId({ purpose, nonce, ipKey: key }: CodeIdPayload): AttemptPool {
  const perIp = limits.CODE_FAILURES_PER_DAY
  const isTrusted = purpose === 'sign-in'
  // The ids of one IP address share a limit if anyone gets one.
  const failures = isTrusted
    ? [{ name: 'ids', max: perIp }]
    : [
        { name: `ids:${key}`, max: perIp },
        { name: 'ids', max: FAILURES_OF_ALL_IDS_MAX },
      ]
  return { name: `id:${nonce}`, failures, isTrusted }
}

interface PoolRequest {
  purpose: Purpose
  email: string
  /** From the input; the browser's cookie is used as well. */
  id: string | undefined
  owner?: DeviceOwner | undefined
}

/** The pool of a known device, else of a valid id for this purpose and email; undefined if the caller has neither. */
export function findAttemptPool(ctx: Context, { purpose, email, id, owner }: PoolRequest): AttemptPool | undefined {
  const deviceId = readDeviceCookie(ctx, owner)
  if (deviceId !== undefined) {
    const name = `device:${deviceId}`
    return { name, failures: [{ name, max: limits.CODE_FAILURES_PER_DAY }], isTrusted: true }
  }
  for (const candidate of [id, ctx.request.cookie(cookieNameFor(ctx, purpose))]) {
    const content = candidate === undefined ? undefined : unsealJson(ctx.deps.secret, CodeIdPayload, candidate)
    if (content?.purpose === purpose && content.email === email && content.expiresAt > Date.now())
      return poolForId(content)
  }
  return undefined
}
