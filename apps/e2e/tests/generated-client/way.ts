// A full user journey over REST with the generated client: a compile error means that the OpenAPI document is incomplete.
// Fixtures are passed in: importing the test kit would triple the time of the type check.
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

type BodyOf<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody?: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

export interface WayOptions {
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

function must<T>(what: string, answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(`${what}: ${JSON.stringify(answer.error)}`)
  return answer.data
}

const clientFor = ({ url }: WayOptions, token?: string) =>
  createClient<paths>({ baseUrl: `${url}/api`, headers: token ? { authorization: `Bearer ${token}` } : {} })

async function register(options: WayOptions, name: string) {
  const api = clientFor(options)
  const { email, password } = options.person(name)
  must('register', await api.POST('/auth/register', { body: { name, email, password, confirmPassword: password } }))
  const otp = await options.codeFor(email)
  const body = { name, email, password, otp }
  const { data } = must('verify-registration-otp', await api.POST('/auth/verify-registration-otp', { body }))
  return { ...data, email, password }
}

async function createTeam(options: WayOptions, token: string, name: string, roleId: string) {
  const body = { ...options.inputs.team, name, rolesNeeded: [{ id: roleId }] }
  return must('create team', await clientFor(options, token).POST('/teams', { body })).data.team
}

/** Registers two chefs and a member, creates two teams, is judged, and stands on the leaderboard. Returns what visitors then see. */
export async function takeTheWay(options: WayOptions) {
  const visitor = clientFor(options)
  const chef = await register(options, 'Sara El Amrani')
  const other = await register(options, 'محمد أمين')
  const mate = await register(options, 'Youssef Benali')

  must('logout', await clientFor(options, chef.token).POST('/auth/logout', { body: {} }))
  const again = must(
    'login',
    await visitor.POST('/auth/login', { body: { email: chef.email, password: chef.password } }),
  ).data
  if (!('token' in again)) throw new Error('A code was asked for')
  const pair = must('refresh', await visitor.POST('/auth/refresh', { body: { refreshToken: again.refreshToken } })).data

  const { roles } = must('roles', await visitor.GET('/roles')).data
  const roleId = roles[0]?.id ?? ''
  const mark = Date.now().toString(36)
  const names = [`Atlas ${mark}`, `Argan ${mark}`] as const
  const first = await createTeam(options, pair.token, names[0], roleId)
  const second = await createTeam(options, other.token, names[1], roleId)
  const join = { ...options.inputs.join, email: mate.email, role: { id: roleId } }
  const place = { params: { path: { id: first.id } } }
  must('join', await clientFor(options, mate.token).POST('/teams/{id}/join', { ...place, body: join }))
  const card = must('team card', await visitor.GET('/teams/{id}', place)).data.team

  const { email, password } = options.admin
  const boss = must('admin login', await visitor.POST('/auth/login', { body: { email, password } })).data
  if (!('token' in boss)) throw new Error('A code was asked for')
  const admin = clientFor(options, boss.token)
  const { challenge } = must(
    'create challenge',
    await admin.POST('/admin/challenges', { body: { ...options.inputs.challenge, points: 200, password } }),
  ).data

  const params = { path: { id: challenge.id } }
  const apply = clientFor(options, pair.token)
  const byLink = must(
    'apply with a link',
    await apply.POST('/challenges/{id}/apply', {
      params,
      body: { teamId: first.id, type: 'link', content: 'https://github.com/atlas/app' },
    }),
  ).data.submission
  const form = new FormData()
  form.append('file', new Blob([options.inputs.picture], { type: 'image/png' }), 'screen.png')
  const { file } = must(
    'upload',
    await clientFor(options, other.token).POST('/upload/single', {
      body: form as never,
      bodySerializer: (body) => body as never,
    }),
  ).data
  const byFile = must(
    'apply with a file',
    await clientFor(options, other.token).POST('/challenges/{id}/apply', {
      params,
      body: { teamId: second.id, type: 'upload', content: file.secureUrl },
    }),
  ).data.submission

  const judge = (id: string, body: { status: 'approved' | 'rejected'; score?: number; feedback: string }) =>
    admin.POST('/submissions/{id}/evaluate', { params: { path: { id } }, body })
  must('approve', await judge(byLink.id, { status: 'approved', score: 87, feedback: 'Clear and fast.' }))
  must('reject', await judge(byFile.id, { status: 'rejected', feedback: 'Please add the source.' }))

  const { leaderboard } = must(
    'leaderboard',
    await visitor.GET('/teams/leaderboard', { params: { query: { limit: 100 } } }),
  ).data
  const works = must('works', await visitor.GET('/submissions/approved', { params: { query: { limit: 100 } } })).data
    .submissions
  const stored = await fetch(file.secureUrl)
  return {
    card,
    names,
    first,
    second,
    byLink,
    byFile,
    leaderboard,
    works,
    stored: { status: stored.status, headers: stored.headers },
  }
}
