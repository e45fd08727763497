import type { SignInResult } from '@community/contract'
import { PASSWORD, uniqueEmail } from '@community/testing'
import type { TestServer } from './test-server.ts'

export { times } from '@community/testing'

/** Settings of a server that trusts `X-Forwarded-For`; see `fromAddress`. */
export const TRUST_FORWARDED_FOR = { TRUST_PROXY: 'loopback' }

/** Headers of a client with this IP address. */
export const fromAddress = (address: string) => ({ 'x-forwarded-for': address })

let addresses = 0
/** Headers of a client with an unused IP address, so that limits per address start at 0. */
export const newAddress = () => fromAddress(`10.9.${++addresses >> 8}.${addresses & 255}`)

export interface Registrant {
  name: string
  email: string
  password: string
}
export const createRegistrant = (email = uniqueEmail()): Registrant => ({
  name: 'Nour Benali',
  email,
  password: PASSWORD,
})

export const beginRegistration = (server: TestServer, registrant: Registrant) =>
  server.rest()('POST /auth/register', { ...registrant, confirmPassword: registrant.password })

/** Registers a user with the mailed code. */
export async function register(server: TestServer, registrant = createRegistrant()): Promise<SignInResult> {
  await beginRegistration(server, registrant)
  const { body } = await server.rest()('POST /auth/verify-registration-otp', {
    ...registrant,
    otp: await server.mailedCode(registrant.email),
  })
  return body.data
}

/** The templates of all mails queued for an address, sent or not. */
export async function findQueuedTemplates(server: TestServer, email: string): Promise<string[]> {
  const rows = await server.sql<{ template: string }[]>`
    select template from jobs where recipient = ${email} order by created_at`
  return rows.map(({ template }) => template)
}

/** Counts the responses of concurrent requests by status and code. */
export async function countOutcomes(calls: Promise<{ status: number; body: { code?: string } }>[]) {
  const counts: Record<string, number> = {}
  for (const { status, body } of await Promise.all(calls)) {
    const key = body.code === undefined ? String(status) : `${status} ${body.code}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** Replaces encrypted ids, which are random, by their lengths. */
export const maskSealedIds = (text: string): string => text.replaceAll(/[\w-]{150,}/g, (id) => `ID of ${id.length}`)
