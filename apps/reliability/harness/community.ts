import { randomBytes } from 'node:crypto'
import { contract, routesOf } from '@community/contract'
import { type InputOf, type ProcedureName, validInput } from '@community/testing'
import { ADMIN } from '@community/testing/server'
import { type Answer, type Client, NoAnswer } from './client.ts'
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

const routes = new Map(routesOf(contract))

/** A valid REST request of a procedure: its path filled in, the rest of its input as body. */
export function requestOf<N extends ProcedureName>(name: N, fields: Partial<InputOf<N>> = {}) {
  const route = routes.get(name)
  if (!route) throw new Error(`there is no ${name}`)
  const body: Record<string, unknown> = { ...(validInput(name, fields) as Record<string, unknown>) }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const value = String(body[word])
    delete body[word]
    return value
  })
  return { line: `${route.method} ${path}`, body }
}

const rolesAt = new WeakMap<Client, Promise<{ roles: { id: string }[] }>>()

/** The body that creates a team of a name of its own. */
export async function teamForm(client: Client, over: Partial<InputOf<'teams.create'>> = {}) {
  const known = rolesAt.get(client) ?? must<{ roles: { id: string }[] }>(client.call('GET /roles'))
  rolesAt.set(client, known)
  const rolesNeeded = (await known).roles.slice(0, 2).map(({ id }) => ({ id }))
  const { body } = requestOf('teams.create', { name: uniqueName('Team'), rolesNeeded, maxMembers: 5, ...over })
  return { ...body, rolesNeeded }
}

export async function makeTeam(
  client: Client,
  chef: Person,
  over: Partial<InputOf<'teams.create'>> = {},
): Promise<Team> {
  const body = await teamForm(client, over)
  return (await must<{ team: Team }>(client.call('POST /teams', { body, token: chef.token }))).team
}

export const joinRequest = (id: string, { rolesNeeded: [role] }: Pick<Team, 'rolesNeeded'>) =>
  requestOf('teams.join', { id, role: { id: role?.id ?? '' } })

export async function makeChallenge(
  client: Client,
  { token }: Person,
  over: Partial<InputOf<'admin.createChallenge'>> = {},
): Promise<{ id: string }> {
  const fields = { title: uniqueName('Challenge'), points: 100, password: ADMIN.password, ...over }
  const { line, body } = requestOf('admin.createChallenge', fields)
  return (await must<{ challenge: { id: string } }>(client.call(line, { body, token }))).challenge
}
