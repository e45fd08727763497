import { randomBytes, randomUUID } from 'node:crypto'
import { appErrors, type ErrorDefinition, limits, type SignInResult } from '@community/contract'
import { type Db, placeholders, type Reader, prepared, type Tx } from '@community/db'
import { refreshFamilies, refreshTokens, sessions } from '@community/db/schema'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { Lucia, TimeSpan } from 'lucia'
import type { Caller, Deps, ClientInfo } from '../context.ts'
import { toProfile, type UserRow } from '../users/views.ts'
import { type Device, parseDevice } from './device.ts'
import { rememberDevice } from './known-devices.ts'
import { recordLastUse } from './record-last-use.ts'
import { HashedSessionAdapter, hashToken } from './session-adapter.ts'
import { lockActiveUser } from '../users/lock-user.ts'

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof createLucia>
    DatabaseSessionAttributes: { familyId: string; isLastUseStale?: boolean }
    DatabaseUserAttributes: { name: string; email: string; role: 'member' | 'admin' }
  }
}

const createLucia = (reader: Reader) =>
  new Lucia(new HashedSessionAdapter(reader), {
    sessionExpiresIn: new TimeSpan(limits.ACCESS_TOKEN_TTL, 's'),
    getSessionAttributes: ({ familyId, isLastUseStale }) => ({ familyId, isLastUseStale }),
    getUserAttributes: ({ name, email, role }) => ({ name, email, role }),
  })
const luciaByDb = new WeakMap<Db, ReturnType<typeof createLucia>>()
function getLucia(db: Db) {
  const lucia = luciaByDb.get(db) ?? createLucia(db)
  luciaByDb.set(db, lucia)
  return lucia
}

const expiredSessionByHash = prepared('expired_session_by_hash', (q) =>
  q
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sql.placeholder('hash')), lte(sessions.expiresAt, sql`now()`))),
)

/** The user of an access token, or why it is not accepted. Read for every request, so that a ban or role change takes effect immediately. */
export async function findCaller(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  token: string,
): Promise<Caller | ErrorDefinition> {
  const { session, user } = await getLucia(db).validateSession(token)
  if (session && user) {
    const { id, name, email, role } = user
    const { familyId, isLastUseStale } = session
    if (isLastUseStale)
      recordLastUse({ db, log }, familyId, (tx, staleCondition) =>
        tx
          .update(refreshFamilies)
          .set({ lastUsedAt: sql`now()` })
          .where(
            and(
              eq(refreshFamilies.id, familyId),
              isNull(refreshFamilies.revokedAt),
              staleCondition(refreshFamilies.lastUsedAt),
            ),
          ),
      )
    return { id, name, email, role, familyId }
  }
  const [expired] = await expiredSessionByHash(db, { hash: hashToken(token) })
  return expired ? appErrors.tokenExpired : appErrors.notSignedIn
}

/** Creates an access token, random unless given. */
export const createAccessToken = async (tx: Tx, userId: string, familyId: string, token?: string): Promise<string> =>
  (await createLucia(tx).createSession(userId, { familyId }, token === undefined ? {} : { sessionId: token })).id

const insertFamily = prepared('auth.insert-family', (db) =>
  db.insert(refreshFamilies).values({
    ...placeholders(['id', 'userId', 'userAgent', 'address']),
    expiresAt: sql`now() + make_interval(secs => ${limits.REFRESH_TOKEN_TTL})`,
  }),
)
const insertFirstToken = prepared('auth.insert-first-token', (db) =>
  db.insert(refreshTokens).values({ ...placeholders(['hash', 'familyId']), generation: 1 }),
)

const noop = () => Promise.resolve()

/** Creates a refresh token family with its first access token. Calls `onNewDevice` on the account's first sign-in from such a device. */
export async function createSignIn(
  tx: Tx,
  userId: string,
  request: ClientInfo,
  onNewDevice: (user: UserRow, device: Device) => Promise<void> = noop,
): Promise<{ result: SignInResult; user: UserRow }> {
  const user = await lockActiveUser(tx, userId, 'share')
  const device = parseDevice(request.userAgent)
  if (await rememberDevice(tx, userId, device)) await onNewDevice(user, device)
  const { userAgent, ip } = request
  const familyId = randomUUID()
  const refreshToken = randomBytes(32).toString('base64url')
  const [, , token] = await Promise.all([
    insertFamily(tx, { id: familyId, userId, userAgent, address: ip }),
    insertFirstToken(tx, { hash: hashToken(refreshToken), familyId }),
    createAccessToken(tx, userId, familyId),
  ])
  return { result: { requiresOTP: false, user: toProfile(user), token, refreshToken }, user }
}

/** Ends a sign-in with its refresh and access tokens. */
export async function endFamily(tx: Tx, familyId: string, reason: string): Promise<void> {
  await tx
    .update(refreshFamilies)
    .set({ revokedAt: sql`now()`, revokedReason: reason })
    .where(and(eq(refreshFamilies.id, familyId), isNull(refreshFamilies.revokedAt)))
  await tx.delete(sessions).where(eq(sessions.familyId, familyId))
}

const familyByHash = prepared('refresh_family_by_hash', (q) =>
  q
    .select({ id: refreshTokens.familyId })
    .from(refreshTokens)
    .where(eq(refreshTokens.hash, sql.placeholder('hash'))),
)

/** The family of a refresh token, valid or spent. */
export async function findFamilyByToken(reader: Reader, refreshToken: string): Promise<string | undefined> {
  const [row] = await familyByHash(reader, { hash: hashToken(refreshToken) })
  return row?.id
}

/** Ends every sign-in of a user. */
export async function endAllFamilies(tx: Tx, userId: string, reason: string): Promise<void> {
  await tx
    .update(refreshFamilies)
    .set({ revokedAt: sql`now()`, revokedReason: reason })
    .where(and(eq(refreshFamilies.userId, userId), isNull(refreshFamilies.revokedAt)))
  await tx.delete(sessions).where(eq(sessions.userId, userId))
}
