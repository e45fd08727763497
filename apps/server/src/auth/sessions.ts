import { randomBytes, randomUUID } from 'node:crypto'
import { appErrors, type ErrorDefinition, limits, type SignInResult } from '@community/contract'
import type { Db, Reader, Tx } from '@community/db'
import { Lucia, TimeSpan } from 'lucia'
import type { Caller, Deps, ClientInfo } from '../context.ts'
import { toProfile } from '../users/views.ts'
import type { UserRow } from '../users/account-queries.ts'
import { parseDevice, type UserAgentFamilies } from './device.ts'
import { rememberDevice } from './device-commands.ts'
import { hashToken } from './hash-token.ts'
import { recordLastUse } from './record-last-use.ts'
import { HashedSessionAdapter } from './session-adapter.ts'
import { insertFamily, touchFamily } from './session-commands.ts'
import { hasExpiredSession } from './token-queries.ts'

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

/** The user of an access token, or why it is not accepted. Read for every request, so that a ban or role change takes effect immediately. */
export async function findCaller(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  token: string,
): Promise<Caller | ErrorDefinition> {
  const { session, user } = await getLucia(db).validateSession(token)
  if (session && user) {
    const { id, name, email, role } = user
    const { familyId, isLastUseStale } = session
    if (isLastUseStale) recordLastUse({ db, log }, familyId, (tx) => touchFamily(tx, familyId))
    return { id, name, email, role, familyId }
  }
  return (await hasExpiredSession(db, token)) ? appErrors.tokenExpired : appErrors.notSignedIn
}

/** Creates an access token, random unless given. */
export const createAccessToken = async (tx: Tx, userId: string, familyId: string, token?: string): Promise<string> =>
  (await createLucia(tx).createSession(userId, { familyId }, token === undefined ? {} : { sessionId: token })).id

const noop = () => Promise.resolve()

/** Creates a locked account's refresh token family with its first access token. Calls `onNewDevice` on the first sign-in from such a device. */
export async function createSignIn(
  tx: Tx,
  deps: Pick<Deps, 'config'>,
  user: UserRow,
  request: ClientInfo,
  onNewDevice: (user: UserRow, device: UserAgentFamilies) => Promise<void> = noop,
): Promise<{ result: SignInResult; user: UserRow; isNewDevice: boolean }> {
  const userId = user.id
  const { userAgent, ip } = request
  const device = parseDevice(userAgent)
  const familyId = randomUUID()
  const refreshToken = randomBytes(32).toString('base64url')
  const [isNewDevice, , token] = await Promise.all([
    rememberDevice(tx, userId, device),
    insertFamily(tx, { id: familyId, userId, userAgent, address: ip, tokenHash: hashToken(refreshToken) }),
    createAccessToken(tx, userId, familyId),
  ])
  if (isNewDevice) await onNewDevice(user, device)
  return { result: { requiresOTP: false, user: toProfile(user, deps), token, refreshToken }, user, isNewDevice }
}
