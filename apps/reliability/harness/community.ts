import { type InputOf, validInput } from '@community/testing'
import { type Client, dataOf, requestOf } from '@community/testing/api-client'
import type { User } from './users.ts'

/** Whose token a request carries. */
export type Caller = Pick<User, 'token'>

export interface Team {
  id: string
  name: string
  rolesNeeded: { id: string }[]
}

const rolesAt = new WeakMap<Client, Promise<{ roles: { id: string }[] }>>()

/** A valid body that creates a team with a unique name and two needed roles. */
export async function teamForm(client: Client, fields: Partial<InputOf<'teams.create'>> = {}) {
  const known = rolesAt.get(client) ?? dataOf<{ roles: { id: string }[] }>(client.call('GET /roles'))
  rolesAt.set(client, known)
  const rolesNeeded = (await known).roles.slice(0, 2).map(({ id }) => ({ id }))
  return { ...validInput('teams.create', { maxMembers: 5, ...fields }), rolesNeeded }
}

export async function createTeam(
  client: Client,
  { token }: Caller,
  fields?: Partial<InputOf<'teams.create'>>,
): Promise<Team> {
  const body = await teamForm(client, fields)
  return (await dataOf<{ team: Team }>(client.call('POST /teams', { body, token }))).team
}

export const joinRequest = ({ id, rolesNeeded: [role] }: Omit<Team, 'name'>, caller: Caller) =>
  requestOf('teams.join', { id, role: { id: role?.id ?? '' } }, caller)

export async function createChallenge(
  client: Client,
  admin: Caller,
  fields: Partial<InputOf<'admin.createChallenge'>> = {},
): Promise<{ id: string }> {
  const request = requestOf('admin.createChallenge', { points: 100, ...fields }, admin)
  return (await dataOf<{ challenge: { id: string } }>(client.call(request))).challenge
}
