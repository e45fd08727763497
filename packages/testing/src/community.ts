import { type Client, dataOf, requestOf } from './api-client.ts'
import { fileForm } from './file-form.ts'
import { type InputOf, validInput } from './valid-inputs.ts'

/** The owner of a request’s token. */
export interface Caller {
  token: string
}

interface Role {
  id: string
  name: string
}

export interface Team {
  id: string
  name: string
  rolesNeeded: Role[]
}

const rolesAt = new WeakMap<Client, Promise<{ roles: Role[] }>>()

/** A valid body that creates a team with a unique name and two needed roles. */
export async function teamForm(client: Client, fields: Partial<InputOf<'teams.create'>> = {}) {
  const known = rolesAt.get(client) ?? dataOf<{ roles: Role[] }>(client.call('GET /roles'))
  rolesAt.set(client, known)
  const rolesNeeded = (await known).roles.slice(0, 2).map(({ id }) => ({ id }))
  return validInput('teams.create', { maxMembers: 5, rolesNeeded, ...fields })
}

export async function createTeam(
  client: Client,
  { token }: Caller,
  fields?: Partial<InputOf<'teams.create'>>,
): Promise<Team> {
  const body = await teamForm(client, fields)
  return (await dataOf<{ team: Team }>(client.call('POST /teams', { body, token }))).team
}

/** A request that joins a team as the first role it needs. */
export const joinRequest = (
  { id, rolesNeeded: [role = ''] }: { id: string; rolesNeeded: InputOf<'teams.create'>['rolesNeeded'] },
  caller: Caller,
  fields: Partial<InputOf<'teams.join'>> = {},
) => requestOf('teams.join', { id, role, ...fields }, caller)

export async function createChallenge(
  client: Client,
  admin: Caller,
  fields: Partial<InputOf<'admin.createChallenge'>> = {},
): Promise<{ id: string; title: string }> {
  const request = requestOf('admin.createChallenge', { points: 100, ...fields }, admin)
  return (await dataOf<{ challenge: { id: string; title: string } }>(client.call(request))).challenge
}

/** Uploads a file; resolves with its status and the URL of the file, undefined if it was rejected. */
export async function uploadFile(origin: string, { token }: Caller, bytes: Uint8Array, name: string, type: string) {
  const response = await fetch(`${origin}/api/upload/single`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: fileForm('file', bytes, name, type),
    signal: AbortSignal.timeout(60_000),
  })
  const { data } = (await response.json()) as { data?: { file: { secureUrl: string } } }
  return { status: response.status, url: data?.file.secureUrl }
}
