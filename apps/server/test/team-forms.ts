import { randomBytes } from 'node:crypto'
import type { contract, Input } from '@community/contract'
import type { Db } from '@community/db'
import { rateLimits } from '@community/db/schema'
import { like } from 'drizzle-orm'

type CreateForm = Input<typeof contract.teams.create>
type JoinForm = Input<typeof contract.teams.join>

export const uniqueName = (start = 'Team') => `${start} ${randomBytes(6).toString('hex')}`

/** The seeded roles, in their order. */
export async function rolesOf(db: Db): Promise<{ id: string; name: string; emoji: string }[]> {
  return db.query.roles.findMany({
    orderBy: (t, { asc }) => asc(t.position),
    columns: { id: true, name: true, emoji: true },
  })
}

/** Forgets who founded how many teams today: a race of hundreds of rounds founds more than anybody may. */
export const foundsAnew = (db: Db) => db.delete(rateLimits).where(like(rateLimits.key, 'teams:%'))

/** The create form as the wizard sends it. */
export const createForm = (roles: { id: string }[], over: Partial<CreateForm> = {}): CreateForm => ({
  name: uniqueName(),
  description: 'We build things together in Casablanca',
  rolesNeeded: roles,
  maxMembers: 5,
  experience: 'Intermediate',
  userInfo: {
    firstName: 'Sara',
    lastName: 'El Amrani',
    email: 'sara@example.ma',
    phone: '0612345678',
    personalExperience: 'Advanced',
  },
  ...over,
})

/** The join form as its modal sends it. */
export const joinForm = (id: string, role: { id: string }, over: Partial<JoinForm> = {}): JoinForm => ({
  id,
  name: 'Youssef Benali',
  email: 'youssef@example.ma',
  contact: 'youssef@example.ma',
  phone: '+212 612345678',
  experience: 'Beginner',
  role,
  ...over,
})
