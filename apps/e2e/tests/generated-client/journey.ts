// A full user journey over REST with the generated client: a compile error means that the OpenAPI document is incomplete.
// Fixtures are passed in: importing packages/testing would triple the time of the type check.
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

type BodyOf<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody?: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

interface JourneyOptions {
  url: string
  admin: { email: string; password: string }
  inputs: {
    team: BodyOf<'/teams'>
    join: BodyOf<'/teams/{id}/join'>
    challenge: BodyOf<'/admin/challenges'>
    picture: BlobPart
  }
  /** Credentials of an unregistered user. */
  person: (name: string) => { email: string; password: string }
  /** The OTP mailed to an address. */
  codeFor: (email: string) => Promise<string>
}

/** The data of a response; throws if it is an error. */
async function dataOf<T>(response: Promise<{ data?: { data: T }; error?: unknown }>): Promise<T> {
  const { data, error } = await response
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data.data
}

const clientFor = ({ url }: JourneyOptions, token?: string) =>
  createClient<paths>({ baseUrl: `${url}/api`, headers: token ? { authorization: `Bearer ${token}` } : {} })

async function register(options: JourneyOptions, name: string) {
  const api = clientFor(options)
  const { email, password } = options.person(name)
  await dataOf(api.POST('/auth/register', { body: { name, email, password, confirmPassword: password } }))
  const otp = await options.codeFor(email)
  const { token } = await dataOf(api.POST('/auth/verify-registration-otp', { body: { name, email, password, otp } }))
  return { token, email, password }
}

async function signIn(options: JourneyOptions, body: { email: string; password: string }) {
  const session = await dataOf(clientFor(options).POST('/auth/login', { body }))
  if (!('token' in session)) throw new Error('A code was required')
  return session
}

async function createTeam(options: JourneyOptions, token: string, name: string, roleId: string) {
  const body = { ...options.inputs.team, name, rolesNeeded: [{ id: roleId }] }
  return (await dataOf(clientFor(options, token).POST('/teams', { body }))).team
}

/** Two chefs and a member register, create two teams and submit, and are evaluated. Returns what visitors then see. */
export async function runJourney(options: JourneyOptions) {
  const visitor = clientFor(options)
  const first = await register(options, 'Sara El Amrani')
  const second = await register(options, 'محمد أمين')
  const member = await register(options, 'Youssef Benali')

  await dataOf(clientFor(options, first.token).POST('/auth/logout', { body: {} }))
  const { refreshToken } = await signIn(options, { email: first.email, password: first.password })
  const { token } = await dataOf(visitor.POST('/auth/refresh', { body: { refreshToken } }))
  const [chef, otherChef] = [clientFor(options, token), clientFor(options, second.token)]

  const { roles } = await dataOf(visitor.GET('/roles'))
  const roleId = roles[0]?.id ?? ''
  const suffix = Date.now().toString(36)
  const team = await createTeam(options, token, `Atlas ${suffix}`, roleId)
  const otherTeam = await createTeam(options, second.token, `Argan ${suffix}`, roleId)
  const teamParams = { params: { path: { id: team.id } } }
  const join = { ...options.inputs.join, email: member.email, role: { id: roleId } }
  await dataOf(clientFor(options, member.token).POST('/teams/{id}/join', { ...teamParams, body: join }))
  const { team: card } = await dataOf(visitor.GET('/teams/{id}', teamParams))

  const { email, password } = options.admin
  const admin = clientFor(options, (await signIn(options, { email, password })).token)
  const body = { ...options.inputs.challenge, points: 200, password }
  const { challenge } = await dataOf(admin.POST('/admin/challenges', { body }))

  const params = { path: { id: challenge.id } }
  const link = { teamId: team.id, type: 'link' as const, content: 'https://github.com/atlas/app' }
  const { submission: byLink } = await dataOf(chef.POST('/challenges/{id}/apply', { params, body: link }))
  const form = new FormData()
  form.append('file', new Blob([options.inputs.picture], { type: 'image/png' }), 'screen.png')
  const { file } = await dataOf(
    otherChef.POST('/upload/single', { body: form as never, bodySerializer: (sent) => sent as never }),
  )
  const upload = { teamId: otherTeam.id, type: 'upload' as const, content: file.secureUrl }
  const { submission: byFile } = await dataOf(otherChef.POST('/challenges/{id}/apply', { params, body: upload }))

  const evaluate = (id: string, verdict: { status: 'approved' | 'rejected'; score?: number; feedback: string }) =>
    dataOf(admin.POST('/submissions/{id}/evaluate', { params: { path: { id } }, body: verdict }))
  await evaluate(byLink.id, { status: 'approved', score: 87, feedback: 'Clear and fast.' })
  await evaluate(byFile.id, { status: 'rejected', feedback: 'Please add the source.' })

  const page = { params: { query: { limit: 100 } } }
  const { leaderboard } = await dataOf(visitor.GET('/teams/leaderboard', page))
  const { submissions: works } = await dataOf(visitor.GET('/submissions/approved', page))
  return { card, team, otherTeam, byLink, byFile, leaderboard, works, stored: await fetch(file.secureUrl) }
}
