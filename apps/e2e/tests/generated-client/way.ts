// The way through over REST, by the client that openapi-typescript generates: what does not compile here is not documented.
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'
import { newestCode } from '../../inbox.ts'

export interface WayOptions {
  url: string
  inboxUrl: string
  admin: { email: string; password: string }
}

const word = () => Math.random().toString(36).slice(2, 10)
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function must<T>(what: string, answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(`${what}: ${JSON.stringify(answer.error)}`)
  return answer.data
}

const clientFor = ({ url }: WayOptions, token?: string) =>
  createClient<paths>({ baseUrl: `${url}/api`, headers: token ? { authorization: `Bearer ${token}` } : {} })

async function register(options: WayOptions, name: string) {
  const api = clientFor(options)
  const email = `${word()}@example.ma`
  const password = 'Zellige2026'
  must('register', await api.POST('/auth/register', { body: { name, email, password, confirmPassword: password } }))
  const otp = await newestCode(options.inboxUrl, email)
  const { data } = must(
    'verify-registration-otp',
    await api.POST('/auth/verify-registration-otp', { body: { name, email, password, otp } }),
  )
  return { ...data, email, password }
}

async function found(options: WayOptions, token: string, name: string, roleId: string, email: string) {
  const api = clientFor(options, token)
  const body = {
    name,
    description: 'We build small, useful things and ship them.',
    rolesNeeded: [{ id: roleId }],
    maxMembers: 3,
    experience: 'Intermediate' as const,
    userInfo: {
      firstName: 'Sara',
      lastName: 'El Amrani',
      email,
      phone: '0612345678',
      personalExperience: 'Advanced' as const,
    },
  }
  return must('create team', await api.POST('/teams', { body })).data.team
}

/** Registers two chefs and a member, founds two teams, is judged, and stands on the leaderboard. Answers what visitors then see. */
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
  const names = [`Atlas ${word()}`, `Argan ${word()}`] as const
  const first = await found(options, pair.token, names[0], roleId, chef.email)
  const second = await found(options, other.token, names[1], roleId, other.email)
  must(
    'join',
    await clientFor(options, mate.token).POST('/teams/{id}/join', {
      params: { path: { id: first.id } },
      body: {
        name: mate.user.name,
        email: mate.email,
        phone: '+212612345678',
        experience: 'Beginner',
        role: { id: roleId },
      },
    }),
  )
  const card = must('team card', await visitor.GET('/teams/{id}', { params: { path: { id: first.id } } })).data.team

  const { email, password } = options.admin
  const boss = must('admin login', await visitor.POST('/auth/login', { body: { email, password } })).data
  if (!('token' in boss)) throw new Error('A code was asked for')
  const admin = clientFor(options, boss.token)
  const { challenge } = must(
    'create challenge',
    await admin.POST('/admin/challenges', {
      body: {
        title: `Bus times ${word()}`,
        description: 'A page that works in a tunnel.',
        requirements: ['Works offline'],
        deadline: new Date(Date.now() + 86_400_000).toISOString(),
        points: 200,
        password: options.admin.password,
      },
    }),
  ).data

  const byLink = must(
    'apply with a link',
    await clientFor(options, pair.token).POST('/challenges/{id}/apply', {
      params: { path: { id: challenge.id } },
      body: {
        teamId: first.id,
        type: 'link',
        content: 'https://github.com/atlas/app',
        applicationNotes: 'First version',
      },
    }),
  ).data.submission
  const form = new FormData()
  form.append('file', new Blob([PIXEL], { type: 'image/png' }), 'screen.png')
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
      params: { path: { id: challenge.id } },
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
