// What a developer writes who generates a client with @hey-api/openapi-ts: no cast, and no import from this repository.
import { createClient } from './hey-api/client'
import {
  adminCreateChallenge,
  authLogin,
  authRegister,
  authVerifyRegistrationOtp,
  challengesApplyTo,
  submissionsEvaluate,
  teamsCreate,
  teamsLeaderboard,
  rolesList,
  usersCreateToken,
} from './hey-api/sdk.gen'

declare const process: { argv: string[] }
const [baseUrl = '', inboxUrl = '', adminPassword = ''] = process.argv.slice(2)
const visitor = createClient({ baseUrl })
const run = Date.now().toString(36)
const password = `Zellige-${run}-2026`

function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Not so: ${what}`)
}

/** The six digits of a code in the development inbox. */
async function mailedCode(email: string): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const response = await fetch(`${inboxUrl}/messages.json`)
    const messages: { to: string[]; subject: string }[] = JSON.parse(await response.text())
    for (const { to, subject } of messages) {
      const code = to.includes(email) && /\b\d{6}\b/.exec(subject)?.[0]
      if (code) return code
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('No code was mailed')
}

async function signIn(credentials: { email: string; password: string }) {
  const { data } = await authLogin({ client: visitor, body: credentials, throwOnError: true })
  const session = data.data
  // Narrows: only one of the two has a token.
  if (session.requiresOTP) throw new Error(`A code was mailed to ${session.email}`)
  return createClient({ baseUrl, auth: session.token })
}

const email = `chef-${run}@example.ma`
const name = 'Sara El Amrani'
await authRegister({
  client: visitor,
  body: { name, email, password, confirmPassword: password },
  throwOnError: true,
})
const verification = { name, email, password, otp: await mailedCode(email) }
await authVerifyRegistrationOtp({ client: visitor, body: verification, throwOnError: true })
const session = await signIn({ email, password })
const { data: created } = await usersCreateToken({
  client: session,
  body: { name: 'Script', scopes: ['read', 'write'], currentPassword: password },
  throwOnError: true,
})
const client = createClient({ baseUrl, auth: created.data.secret })

const { data: listed } = await rolesList({ client, throwOnError: true })
const [role] = listed.data.roles
assert(role, 'there are roles')
const { data: founded } = await teamsCreate({
  client,
  body: {
    name: `Atlas ${run}`,
    description: 'We build tools for craftspeople in the medina.',
    rolesNeeded: [{ id: role.id }],
    experience: 'Beginner',
    userInfo: { firstName: 'Sara', email, phone: '0612345678', personalExperience: 'Beginner' },
  },
  throwOnError: true,
})
const { team } = founded.data

const admin = await signIn({ email: 'boss@example.ma', password: adminPassword })
const { data: opened } = await adminCreateChallenge({
  client: admin,
  body: {
    title: `Bus times ${run}`,
    description: 'Build a page that shows the next buses, also without a network.',
    requirements: ['Works offline'],
    points: 200,
    deadline: new Date(Date.now() + 86_400_000).toISOString(),
    password: adminPassword,
  },
  throwOnError: true,
})
const apply = { teamId: team.id, type: 'link', content: 'https://github.com/atlas/app' } as const
const path = { id: opened.data.challenge.id }
const { data: applied } = await challengesApplyTo({ client, path, body: apply, throwOnError: true })

const { error } = await challengesApplyTo({ client, path, body: apply })
assert(error?.code === 'ALREADY_APPLIED', 'a team applies once')

await submissionsEvaluate({
  client: admin,
  path: { id: applied.data.submission.id },
  body: { status: 'approved', score: 87, feedback: 'Clear and fast.' },
  throwOnError: true,
})
const { data: board } = await teamsLeaderboard({ client: visitor, query: { limit: 100 }, throwOnError: true })
assert(board.data.leaderboard.find(({ id }) => id === team.id)?.points === 174, 'approved work earns points')
console.log('done')
