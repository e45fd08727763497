import { inTransaction } from '@community/db'
import { PASSWORD } from '@community/testing'
import { issueCode } from '../src/auth/codes.ts'
import type { CodePurpose } from '../src/auth/code-queries.ts'
import { hashToken } from '../src/auth/hash-token.ts'
import type { TestServer, TestUser } from './test-server.ts'

// Writes rows of a caller directly to the database, because the API sends their secrets by mail or shows them only once.

/** A caller, with ids and codes of what belongs to them. */
export interface PermissionCaller extends TestUser {
  /** The id of another sign-in of theirs. */
  otherSession: string
  /** The id of a personal access token of theirs. */
  personalToken: string
  /** The id of a notification of theirs. */
  notification: string
  /** Codes mailed to them; invalid for the banned user. */
  otp: { signIn: string; reset: string; external: string }
}

/** A webhook with a delivery. */
export interface WebhookTarget {
  id: string
  deliveryId: string
}

/** Issues codes as if they were mailed long enough ago to request new ones. */
export async function issueCodes(server: TestServer, person: TestUser): Promise<PermissionCaller['otp']> {
  const issue = (purpose: CodePurpose, overrides: object = {}) =>
    inTransaction(server.db, (tx) =>
      issueCode(tx, server.deps, { purpose, email: person.email, userId: person.id, ...overrides }),
    )
  const identity = { issuer: 'https://id.example', subject: person.id, name: person.name }
  return {
    signIn: (await issue('sign-in', { isNewSignIn: true })) ?? '',
    reset: (await issue('reset')) ?? '',
    external: (await issue('external', { binding: { hash: hashToken(browserBindingOf(person)), identity } })) ?? '',
  }
}
/** The binding cookie of the browser that began the user's external sign-in. */
export const browserBindingOf = ({ id }: TestUser): string => `browser-of-${id}`

export async function createOtherSession(server: TestServer, { id, email }: TestUser): Promise<string> {
  const { status } = await server.rest()('POST /auth/login', { email, password: PASSWORD })
  if (status >= 300) throw new Error(`The sign-in was answered ${status}`)
  const families = await server.sql<{ id: string }[]>`
    select id from refresh_families where user_id = ${id} order by created_at desc, id limit 1`
  return families[0]?.id ?? ''
}

export async function createPersonalToken(server: TestServer, { id }: TestUser): Promise<string> {
  const [token] = await server.sql<{ id: string }[]>`
    insert into personal_tokens (user_id, name, hash, scopes) values (${id}, 'Script', ${hashToken(id)}, '{write}')
    returning id`
  return token?.id ?? ''
}

export async function createNotification(server: TestServer, { id }: TestUser): Promise<string> {
  const [notification] = await server.sql<{ id: string }[]>`
    insert into notifications (user_id, kind, params, is_in_app, mail, push)
    values (${id}, 'account.warned', '{"warning": "Shared a solution"}', true, 'instant', false) returning id`
  return notification?.id ?? ''
}

/** Creates an announcement that is scheduled for tomorrow. */
export async function createAnnouncement(server: TestServer): Promise<string> {
  const [announcement] = await server.sql<{ id: string }[]>`
    insert into announcements (title, body, audience, publish_at)
    values ('The jury meets', 'On Friday', 'everyone', now() + interval '1 day') returning id`
  return announcement?.id ?? ''
}

export async function createWebhook(server: TestServer, teamId: string | null): Promise<WebhookTarget> {
  const [webhook] = await server.sql<{ id: string }[]>`
    insert into webhooks (team_id, url, events, secret)
    values (${teamId}, 'https://hooks.example.com/community', '{team.member.joined}', ${server.deps.secret.seal('whsec_AAAA')}) returning id`
  const id = webhook?.id ?? ''
  const [delivery] = await server.sql<{ id: string }[]>`
    insert into webhook_deliveries (webhook_id, event, body, status) values (${id}, 'ping', '{}', 'failed') returning id`
  return { id, deliveryId: delivery?.id ?? '' }
}

/** Marks the newest queued mail as dead and deletes the others. */
export async function createDeadMail(server: TestServer): Promise<string> {
  const [mail] = await server.sql<{ id: string }[]>`
    update jobs set status = 'dead', last_error = 'refused', expires_at = null, lease_until = null
    where id = (select id from jobs where status = 'pending' order by created_at desc limit 1) returning id`
  await server.sql`delete from jobs where status <> 'dead'`
  if (!mail) throw new Error('no mail was ever queued')
  return mail.id
}
