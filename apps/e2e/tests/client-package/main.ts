// What a developer writes who has only the package: no cast, and no import from this repository.
import { ApiError, type CommunityClient, createCommunityClient, dataOf } from '@community/client'

declare const process: { argv: string[] }
const [baseUrl = '', inboxUrl = '', adminPassword = ''] = process.argv.slice(2)
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const visitor = createCommunityClient({ baseUrl })
const run = Date.now().toString(36)
const password = `Zellige-${run}-2026`

function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Not so: ${what}`)
}

/** The six digits of a code in the development inbox. */
async function mailedCode(email: string): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const response = await fetch(`${inboxUrl}/messages.json`)
    const messages: { to: string[]; text: string }[] = JSON.parse(await response.text())
    const code = messages.find(({ to }) => to.includes(email))?.text.match(/\b\d{6}\b/)?.[0]
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('No code was mailed')
}

async function signIn(credentials: { email: string; password: string }): Promise<CommunityClient> {
  const session = await dataOf(visitor.POST('/auth/login', { body: credentials }))
  // Narrows: only one of the two has a token.
  if (session.requiresOTP) throw new Error(`A code was mailed to ${session.email}`)
  let { refreshToken } = session
  return createCommunityClient({
    baseUrl,
    token: () => session.token,
    async refresh() {
      const pair = await dataOf(visitor.POST('/auth/refresh', { body: { refreshToken } }))
      refreshToken = pair.refreshToken
      return pair.token
    },
  })
}

async function register(name: string, email: string): Promise<CommunityClient> {
  await dataOf(visitor.POST('/auth/register', { body: { name, email, password, confirmPassword: password } }))
  const verification = { name, email, password, otp: await mailedCode(email) }
  await dataOf(visitor.POST('/auth/verify-registration-otp', { body: verification }))
  return signIn({ email, password })
}

const email = `chef-${run}@example.ma`
const session = await register('Sara El Amrani', email)
const newToken = { name: 'Script', scopes: ['read' as const, 'write' as const], currentPassword: password }
const { secret } = await dataOf(session.POST('/users/tokens', { body: newToken }))
const api = createCommunityClient({ baseUrl, token: secret })

const { roles } = await dataOf(api.GET('/roles'))
const [role] = roles
assert(role, 'there are roles')
const { team } = await dataOf(
  api.POST('/teams', {
    body: {
      name: `Atlas ${run}`,
      description: 'We build tools for craftspeople in the medina.',
      rolesNeeded: [{ id: role.id }],
      experience: 'Beginner',
      userInfo: { firstName: 'Sara', email, phone: '0612345678', personalExperience: 'Beginner' },
    },
  }),
)

const memberEmail = `member-${run}@example.ma`
const member = await register('محمد أمين', memberEmail)
const join = { name: 'محمد أمين', email: memberEmail, phone: '0612345679', experience: 'Beginner' as const }
await dataOf(
  member.POST('/teams/{id}/join', { params: { path: { id: team.id } }, body: { ...join, role: { id: role.id } } }),
)

const admin = await signIn({ email: 'boss@example.ma', password: adminPassword })
const challengeBody = {
  title: `Bus times ${run}`,
  description: 'Build a page that shows the next buses, also without a network.',
  requirements: ['Works offline'],
  points: 200,
  deadline: new Date(Date.now() + 86_400_000).toISOString(),
  password: adminPassword,
}
const { challenge } = await dataOf(admin.POST('/admin/challenges', { body: challengeBody }))

const params = { path: { id: challenge.id } }
const work = { teamId: team.id, type: 'link' as const, content: 'https://github.com/atlas/app' }
const { submission } = await dataOf(api.POST('/challenges/{id}/apply', { params, body: work }))
assert(submission.status === 'pending', 'the submission waits for its evaluation')

const { error } = await api.POST('/challenges/{id}/apply', { params, body: work })
assert(error, 'a team applies once')
// @ts-expect-error: no code of this operation
assert(error.code !== 'TEAM_FULL', 'the codes are those of the operation')
assert(error.code === 'ALREADY_APPLIED', `the second application is rejected, and not with ${error.code}`)

const thrown = await dataOf(visitor.GET('/users/profile')).catch((caught: unknown) => caught)
assert(thrown instanceof ApiError && thrown.status === 401 && thrown.code === 'NOT_SIGNED_IN', 'visitors are 401')

const names: string[] = []
for await (const entry of api.items('/teams', { params: { query: { limit: 2 } } })) {
  // Narrows: visitors get cards without members.
  if ('members' in entry) names.push(`${entry.name} ${entry.members.length}`)
}
assert(names.includes(`${team.name} 2`), 'the team is in the list')
for await (const { submissions, pagination } of api.pages('/users/submissions'))
  assert(submissions.length === 1 && pagination.total === 1, 'the submission is in the list')

const evaluation = { status: 'approved' as const, score: 87, feedback: 'Clear and fast.' }
await dataOf(admin.POST('/submissions/{id}/evaluate', { params: { path: { id: submission.id } }, body: evaluation }))
const { leaderboard } = await dataOf(visitor.GET('/teams/leaderboard', { params: { query: { limit: 100 } } }))
assert(leaderboard.find(({ id }) => id === team.id)?.points === 174, 'approved work earns points')
const { submissions: works } = await dataOf(visitor.GET('/submissions/approved', { params: { query: { limit: 100 } } }))
assert(
  works.some(({ id, score }) => id === submission.id && score === 87),
  'approved work is public',
)

const kinds: string[] = []
for await (const { kind } of api.items('/notifications')) kinds.push(kind)
assert(kinds.includes('submission.approved'), 'the chef is notified of the verdict')
const { data: csv } = await admin.GET('/admin/export/teams.csv', { parseAs: 'text' })
assert(csv?.includes(team.name), 'the table has the team')

const picture = await (await fetch(`data:image/png;base64,${PIXEL}`)).blob()
const { file } = await dataOf(api.POST('/upload/single', { body: { file: new File([picture], 'screen.png') } }))
const stored = await fetch(file.secureUrl)
assert(stored.headers.get('content-type') === 'image/png', 'an uploaded picture is stored')
console.log('done')
