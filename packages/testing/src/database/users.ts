import { createHash, randomBytes } from 'node:crypto'
import { searchKey } from '@community/contract'
import type postgres from 'postgres'
import { ADMIN } from '../server.ts'
import { times } from '../statistics.ts'
import { uniqueEmail, uniqueName } from '../valid-inputs.ts'

export interface User {
  id: string
  name: string
  email: string
  token: string
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Signs users in directly, each once; resolves with their access tokens. */
export async function insertSessions(sql: postgres.ISql, userIds: string[]): Promise<string[]> {
  const tokens = userIds.map(() => randomBytes(20).toString('hex'))
  await sql`insert into refresh_families (user_id, expires_at)
    select id, now() + interval '1 day' from unnest(${userIds}::uuid[]) id`
  await sql`insert into sessions (id, user_id, family_id, expires_at)
    select hash, user_id, f.id, f.expires_at from unnest(${tokens.map(sha256)}::text[], ${userIds}::uuid[]) as given(hash, user_id)
    join refresh_families f using (user_id)`
  return tokens
}

/** Inserts signed-in users with the password `PASSWORD` directly: the product would hash it for each of them. */
export function usersOn(sql: postgres.Sql) {
  const create = (count: number, role: 'member' | 'admin'): Promise<User[]> =>
    sql.begin(async (tx) => {
      const rows = times(count, () => {
        const [name, email] = [uniqueName('Sara'), uniqueEmail()]
        return { name, email, role, search_text: searchKey(`${name}\n${email}`) }
      })
      const created = await tx<Omit<User, 'token'>[]>`insert into users ${tx(rows)} returning id, name, email`
      const ids = created.map(({ id }) => id)
      await tx`update users set password_hash = (select password_hash from users where email = ${ADMIN.email})
        where id = any(${ids}::uuid[])`
      // Lets them create more teams than the daily limit.
      await tx`insert into rate_limits (key, count, resets_at)
        select 'teams:' || id, -1000000, now() + interval '1 day' from unnest(${ids}::uuid[]) id`
      const tokens = await insertSessions(tx, ids)
      return created.map((user, index) => ({ ...user, token: tokens[index] ?? '' }))
    })
  /** Undoes a change of the password, and continues the session that it ended. */
  const signInAgain = ({ id, token }: User) =>
    sql.begin(async (tx) => {
      await tx`update users set password_hash = (select password_hash from users where email = ${ADMIN.email})
        where id = ${id}`
      await tx`update refresh_families set revoked_at = null, revoked_reason = null where user_id = ${id}`
      await tx`insert into sessions (id, user_id, family_id, expires_at)
        select ${sha256(token)}, user_id, id, expires_at from refresh_families where user_id = ${id}`
    })
  const createOne = async (role: 'member' | 'admin') => (await create(1, role))[0] as User
  return {
    signInAgain,
    createMembers: (count: number) => create(count, 'member'),
    createMember: () => createOne('member'),
    createAdmin: () => createOne('admin'),
  }
}
