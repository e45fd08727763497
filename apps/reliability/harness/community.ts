import { randomBytes } from 'node:crypto'
import { type Answer, type Client, NoAnswer } from './client.ts'
import { ADMIN } from '@community/testing/server'
import type { Person } from './people.ts'

export interface Team {
  id: string
  name: string
  rolesNeeded: { id: string }[]
}

/** The data of an answer that must be a success. */
export async function must<T = any>(answer: Promise<Answer>): Promise<T> {
  const { status, body } = await answer
  if (status >= 300 || status === 0) throw new NoAnswer(`${status}: ${JSON.stringify(body)}`)
  return body.data as T
}

export const uniqueName = (start: string) => `${start} ${randomBytes(6).toString('hex')}`

const rolesAt = new WeakMap<Client, { id: string }[]>()
async function someRoles(client: Client): Promise<{ id: string }[]> {
  const known = rolesAt.get(client)
  if (known) return known
  const roles = (await must<{ roles: { _id: string }[] }>(client.call('GET /roles'))).roles
    .slice(0, 2)
    .map(({ _id }) => ({ id: _id }))
  rolesAt.set(client, roles)
  return roles
}

export const createForm = async (client: Client, over: object = {}) => ({
  name: uniqueName('Team'),
  description: 'We build things together in Casablanca',
  rolesNeeded: await someRoles(client),
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

export async function makeTeam(client: Client, chef: Person, over: object = {}): Promise<Team> {
  const body = await createForm(client, over)
  return (await must<{ team: Team }>(client.call('POST /teams', { body, token: chef.token }))).team
}

export const joinForm = ({ rolesNeeded: [role] }: Pick<Team, 'rolesNeeded'>, over: object = {}) => ({
  name: 'Youssef Benali',
  email: 'youssef@example.ma',
  contact: 'youssef@example.ma',
  phone: '+212612345678',
  experience: 'Beginner',
  role: { id: role?.id },
  ...over,
})

export async function makeChallenge(client: Client, admin: Person, over: object = {}): Promise<{ id: string }> {
  const body = {
    title: uniqueName('Challenge'),
    description: 'A page that works in a tunnel.',
    category: 'Design',
    difficulty: 'Beginner',
    points: 100,
    requirements: ['Works offline'],
    deadline: new Date(Date.now() + 86_400_000).toISOString(),
    password: ADMIN.password,
    ...over,
  }
  const { challenge } = await must<{ challenge: { id: string } }>(
    client.call('POST /admin/challenges', { body, token: admin.token }),
  )
  return challenge
}
