import { type InputOf, PASSWORD } from '@community/testing'
import { atNewAddress, type Call, dataOf } from '@community/testing/api-client'
import * as kit from '@community/testing/community'
import { ADMIN } from '@community/testing/server'
import { clientOf, sendRequest, signInAt } from '../api.ts'
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

/** Sends a request of the kit and returns its data. */
export const send = <T>(call: Call): Promise<T> => dataOf<T>(clientOf({ url }).call(call))

export interface SignedInUser extends TestUser {
  id: string
  token: string
}

/** Registers a member over REST, from an own address: registrations are limited per address. */
export async function registerMember(name?: string): Promise<SignedInUser> {
  const person = newTestUser(name)
  const address = atNewAddress()
  await callApi('POST /auth/register', undefined, { ...person, confirmPassword: person.password }, address)
  const otp = await newestCode(inboxUrl, person.email)
  const verify = 'POST /auth/verify-registration-otp'
  const { user, token } = await callApi<{ user: { id: string }; token: string }>(
    verify,
    undefined,
    { ...person, otp },
    address,
  )
  return { ...person, id: user.id, token }
}

export const adminToken = async (): Promise<string> => (await signInAt({ url }, ADMIN)).token

/** Creates a team over REST that needs one role. */
export async function createTeam(
  chef: SignedInUser,
  name = `Team ${randomWord()} ${randomWord()}`,
  fields: Partial<InputOf<'teams.create'>> = {},
): Promise<kit.Team & { role: string }> {
  const { rolesNeeded, userInfo } = await kit.teamForm(clientOf({ url }))
  const own = {
    rolesNeeded: rolesNeeded.slice(0, 1),
    userInfo: { ...userInfo, firstName: chef.name, email: chef.email },
  }
  const team = await kit.createTeam(clientOf({ url }), chef, { name, ...own, ...fields })
  return { ...team, role: team.rolesNeeded[0]?.name ?? '' }
}

/** Creates a challenge over REST, open for five days. */
export const createChallenge = async (fields: Partial<InputOf<'admin.createChallenge'>> = {}) =>
  kit.createChallenge(clientOf({ url }), await signInAt({ url }, ADMIN), {
    title: `Bus times ${randomWord()} ${randomWord()}`,
    deadline: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    points: 200,
    ...fields,
  })
