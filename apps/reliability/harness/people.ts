import { createHash, randomBytes } from 'node:crypto'
import { searchKey } from '@community/contract'
import { ADMIN } from '@community/testing/server'
import type postgres from 'postgres'

export interface Person {
  id: string
  name: string
  email: string
  token: string
}

export interface People {
  /** Signed-in people, made in the database at once: the time of their password's hash is nobody's concern here. */
  members(count: number): Promise<Person[]>
  member(): Promise<Person>
  admin(): Promise<Person>
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export function peopleOn(sql: postgres.Sql): People {
  const signIn = async (people: { id: string; name: string; email: string }[]): Promise<Person[]> =>
    sql.begin(async (tx) => {
      const families = await tx<{ id: string; userId: string }[]>`
        insert into refresh_families (user_id, expires_at) select id, now() + interval '1 day'
        from unnest(${people.map(({ id }) => id)}::uuid[]) id returning id, user_id as "userId"`
      const familyOf = new Map(families.map(({ id, userId }) => [userId, id]))
      const signedIn = people.map((person) => ({ ...person, token: randomBytes(25).toString('hex').slice(0, 40) }))
      await tx`insert into sessions ${tx(
        signedIn.map(({ id, token }) => ({
          id: createHash('sha256').update(token).digest('hex'),
          user_id: id,
          family_id: familyOf.get(id) ?? '',
          expires_at: new Date(Date.now() + 86_400_000),
        })),
      )}`
      return signedIn
    })
  const insert = async (count: number, role: 'member' | 'admin') => {
    const made = Array.from({ length: count }, () => {
      const word = [...randomBytes(12)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
      const [name, email] = [`Sara ${word}`, `${word}@example.ma`]
      return { name, email, role, search_text: searchKey(`${name}\n${email}`) }
    })
    const rows = await sql<{ id: string; name: string; email: string }[]>`
      insert into users ${sql(made)} returning id, name, email`
    await sql`update users set password_hash = (select password_hash from users where email = ${ADMIN.email})
      where id = any(${rows.map(({ id }) => id)}::uuid[])`
    // They make more teams than anybody may in a day.
    await sql`insert into rate_limits (key, count, resets_at)
      select 'teams:' || id, -1000000, now() + interval '1 day' from unnest(${rows.map(({ id }) => id)}::uuid[]) id`
    return signIn(rows)
  }
  const one = (people: Person[]): Person => {
    if (!people[0]) throw new Error('nobody was made')
    return people[0]
  }
  return {
    members: (count) => insert(count, 'member'),
    member: async () => one(await insert(1, 'member')),
    admin: async () => one(await insert(1, 'admin')),
  }
}
