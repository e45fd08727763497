import { type InputOf, PASSWORD, validInput } from '@community/testing'
import { ADMIN } from '@community/testing/server'
import { sendRequest, signInAt } from '../api.ts'
import { newestCode } from '../inbox.ts'
import { inboxUrl, url } from '../site.ts'

export const randomWord = () => Math.random().toString(36).slice(2, 8)

export interface TestUser {
  name: string
  email: string
  password: string
}
export const newTestUser = (name = 'Sara El Amrani'): TestUser => ({
  name,
  email: `${randomWord()}${randomWord()}@example.ma`,
  password: PASSWORD,
})

/** One REST request to the worker's server, for what a journey needs but does not show. */
export const callApi = <T>(
  endpoint: string,
  token?: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<T> => sendRequest<T>({ url }, endpoint, token, body, headers)

export interface SignedInUser extends TestUser {
  id: string
  token: string
}

let registrations = 0
/** A client address for each registration, because registrations are limited per address. */
const newClientAddress = () => {
  registrations += 1
  const worker = Number(process.env.TEST_WORKER_INDEX ?? 0)
  return { 'x-forwarded-for': [10, worker % 256, registrations >> 8, registrations % 256].join('.') }
}

interface Named {
  id: string
  name: string
}

/** Registers a member over REST. */
export async function registerMember(name?: string): Promise<SignedInUser> {
  const person = newTestUser(name)
  const address = newClientAddress()
  await callApi('POST /auth/register', undefined, { ...person, confirmPassword: person.password }, address)
  const otp = await newestCode(inboxUrl, person.email)
  const verify = 'POST /auth/verify-registration-otp'
  const { user, token } = await callApi<{ user: Named; token: string }>(verify, undefined, { ...person, otp }, address)
  return { ...person, id: user.id, token }
}

export const adminToken = async (): Promise<string> => (await signInAt({ url }, ADMIN)).token

/** Creates a team over REST that needs one role. */
export async function createTeam(
  chef: SignedInUser,
  name = `Team ${randomWord()} ${randomWord()}`,
  fields: Partial<InputOf<'teams.create'>> = {},
): Promise<Named & { role: string }> {
  const { roles } = await callApi<{ roles: Named[] }>('GET /roles')
  const [role] = roles
  if (!role) throw new Error('There are no roles')
  const { userInfo } = validInput('teams.create')
  const input = validInput('teams.create', {
    name,
    rolesNeeded: [{ id: role.id }],
    maxMembers: 5,
    userInfo: { ...userInfo, firstName: chef.name, email: chef.email },
    ...fields,
  })
  const { team } = await callApi<{ team: Named }>('POST /teams', chef.token, input)
  return { ...team, role: role.name }
}

/** Creates a challenge over REST, open for five days. */
export async function createChallenge(
  fields: Partial<InputOf<'admin.createChallenge'>> = {},
): Promise<{ id: string; title: string }> {
  const input = validInput('admin.createChallenge', {
    title: `Bus times ${randomWord()} ${randomWord()}`,
    deadline: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    points: 200,
    password: ADMIN.password,
    ...fields,
  })
  const token = await adminToken()
  return (await callApi<{ challenge: { id: string; title: string } }>('POST /admin/challenges', token, input)).challenge
}
