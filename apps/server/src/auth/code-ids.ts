import { randomBytes } from 'node:crypto'
import { limits } from '@community/contract'
import { z } from 'zod'
import { addressKey } from '../http/client-address.ts'
import type { Context } from '../context.ts'
import { cookieName } from '../http/cookies.ts'
import { type DeviceOwner, readDeviceCookie } from './device-cookie.ts'

/** Whose first step answers an id. An external sign-in is bound to its browser instead. */
type Purpose = 'sign-in' | 'registration' | 'reset'

/** A sign-in's id lasts as long as the last code that can be mailed for it; the others as long as failures are counted. */
const MAX_AGE: Record<Purpose, number> = {
  'sign-in': limits.PENDING_SIGN_IN_TTL + limits.OTP_TTL,
  registration: limits.DAY,
  reset: limits.DAY,
}

const CodeIdPayload = z.object({
  purpose: z.string(),
  email: z.string(),
  nonce: z.string(),
  /** The address or network it was given to. */
  place: z.string(),
  /** In milliseconds. */
  expiresAt: z.number(),
})
type CodeIdPayload = z.output<typeof CodeIdPayload>

const cookieNameFor = ({ deps }: Context, purpose: Purpose): string =>
  cookieName(deps.config, `community_${purpose.replace('-', '_')}`)

/**
 * Creates the id that tells the person who began something from strangers who only know the address, and sets it as a cookie. It holds all
 * that must be known of it, sealed: nothing is stored, and an unknown address gets one like any other.
 */
export function issueCodeId(ctx: Context, purpose: Purpose, email: string): string {
  const content: CodeIdPayload = {
    purpose,
    email,
    nonce: randomBytes(16).toString('base64url'),
    place: addressKey(ctx.request.address),
    expiresAt: Date.now() + MAX_AGE[purpose] * 1000,
  }
  const id = ctx.deps.secret.seal(JSON.stringify(content))
  ctx.request.setCookie(cookieNameFor(ctx, purpose), id, MAX_AGE[purpose])
  return id
}

/** Takes the id's cookie away: what it was for is done. */
export const clearCodeId = (ctx: Context, purpose: Purpose): void => ctx.request.dropCookie(cookieNameFor(ctx, purpose))

function unsealId({ deps }: Context, id: string): CodeIdPayload | undefined {
  try {
    return CodeIdPayload.parse(JSON.parse(deps.secret.unseal(id)))
  } catch {
    return undefined
  }
}

/** A pool of attempts apart from the one that everybody who knows the address shares. */
export interface AttemptPool {
  /** Its own name in the keys of counters. */
  name: string
  /** Failures over all codes of a day: the counters beside those of the shared pool. */
  failures: { name: string; max: number }[]
}

/** Over all ids of an address: three times what one place has, as with wrong passwords. */
const FAILURES_OF_ALL_IDS_MAX = 3 * limits.OTP_FAILURES_PER_DAY

function poolForId({ purpose, nonce, place }: CodeIdPayload): AttemptPool {
  const perPlace = limits.OTP_FAILURES_PER_DAY
  // Only the right password gives an id for a sign-in; the others are given to anybody, so that those of one place share.
  const failures =
    purpose === 'sign-in'
      ? [{ name: 'ids', max: perPlace }]
      : [
          { name: `ids:${place}`, max: perPlace },
          { name: 'ids', max: FAILURES_OF_ALL_IDS_MAX },
        ]
  return { name: `id:${nonce}`, failures }
}

interface PoolRequest {
  purpose: Purpose
  email: string
  /** As the input has it; the browser's cookie serves as well. */
  id: string | undefined
  /** The account of the address, where there is one. */
  owner?: DeviceOwner | undefined
}

/** The pool of a caller on a known device, else with an id of this purpose and address; undefined for everybody else. */
export function findAttemptPool(ctx: Context, { purpose, email, id, owner }: PoolRequest): AttemptPool | undefined {
  const deviceId = readDeviceCookie(ctx, owner)
  if (deviceId !== undefined) {
    const name = `device:${deviceId}`
    return { name, failures: [{ name, max: limits.OTP_FAILURES_PER_DAY }] }
  }
  for (const candidate of [id, ctx.request.cookie(cookieNameFor(ctx, purpose))]) {
    const content = candidate === undefined ? undefined : unsealId(ctx, candidate)
    if (content?.purpose === purpose && content.email === email && content.expiresAt > Date.now())
      return poolForId(content)
  }
  return undefined
}
