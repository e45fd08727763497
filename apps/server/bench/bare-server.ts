// The bare limit: node's own http server and the driver, nothing else. One program for each kind of answer, chosen by its argument.
import { createHash } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import postgres from 'postgres'
import { CARD, CHALLENGE, leaders, openFirst, rawAnswers, teamsPage, total } from './bare-statements.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, viewer: string) => Promise<void> | void
type Row = Record<string, unknown>

const [kind] = process.argv.slice(2)
const { DATABASE_URL = '', PORT = '0' } = process.env
const sql = postgres(DATABASE_URL, { max: 4, onnotice: () => {}, connection: { jit: false } })
const run = (text: string, values: postgres.ParameterOrJSON<never>[] = []): Promise<Row[]> =>
  sql.unsafe(text, values, { prepare: true })

/** Whose token it is, by the one statement that every signed-in request of the product begins with. */
async function viewerOf({ headers: { authorization = '' } }: IncomingMessage): Promise<string> {
  if (authorization === '') return ''
  const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest('hex')
  const [session] = await run(
    `select s.user_id from sessions s join users u on u.id = s.user_id join refresh_families f on f.id = s.family_id
     where s.id = $1 and not u.is_banned and f.revoked_at is null and s.expires_at > now()`,
    [hash],
  )
  const id = session?.user_id
  return typeof id === 'string' ? id : ''
}

function sendJson(response: ServerResponse, bytes: Buffer | string, status = 200): void {
  const length = Buffer.byteLength(bytes)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': length })
  response.end(bytes)
}
const sendData = (response: ServerResponse, data: unknown) =>
  sendJson(response, JSON.stringify({ success: true, message: 'OK', data }))

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? ''

const answerRaw: Handler = async (request, response, viewer) => {
  const answer = rawAnswers[pathOf(request)]
  if (!answer) return sendJson(response, '{}', 404)
  const [row] = await sql.unsafe(answer.statement, answer.takesViewer ? [viewer] : [], { prepare: true }).raw()
  sendJson(response, row?.[0] as unknown as Buffer)
}

async function teamCards(): Promise<Row> {
  const [teams, roles, [pagination]] = await Promise.all([
    run(`select ${CARD}, t.created_at as "createdAt" from (${teamsPage}) t`),
    run(`select n.team_id, r.id, r.name, r.emoji from (${teamsPage}) t join team_roles_needed n on n.team_id = t.id
      join roles r on r.id = n.role_id order by n.position, r.id`),
    run(total('teams_active')),
  ])
  const rolesOf = new Map<unknown, Row[]>(teams.map(({ id }) => [id, []]))
  for (const { team_id, ...role } of roles) rolesOf.get(team_id)?.push(role)
  return { teams: teams.map((team) => ({ ...team, rolesNeeded: rolesOf.get(team.id) })), pagination }
}

async function activeChallenges(): Promise<Row> {
  const [challenges, [pagination]] = await Promise.all([
    run(`select ${CHALLENGE}, deadline, created_at as "createdAt" from challenges
      where is_active order by ${openFirst} limit 50`),
    run('select count(*)::int as total from challenges where is_active'),
  ])
  return { challenges, pagination }
}

/** Plain rows, all statements of an answer in one round trip; of the other reads JSON made in PostgreSQL is always cheaper. */
const flatAnswers: Record<string, () => Promise<Row>> = {
  '/api/teams/leaderboard': async () => ({
    leaderboard: (await run(leaders)).map((row, index) => ({ rank: index + 1, ...row })),
  }),
  '/api/teams': teamCards,
  '/api/challenges': activeChallenges,
}

const ACTION = /^\/api\/(?:teams|submissions)\/([^/]+)\/(join|leave|evaluate)$/
const writes: Record<string, (id: string, viewer: string, body: Row) => Promise<Row[]>> = {
  join: (id, viewer, { name, email, role }) =>
    run(
      `with seat as (update teams set member_count = member_count + 1 where id = $1 and is_active and member_count < max_members returning id)
       insert into team_members (team_id, user_id, role_id, name, email) select id, $2, $3, $4, $5 from seat returning id`,
      [id, viewer, (role as { id: string }).id, String(name), String(email)],
    ),
  leave: (id, viewer) =>
    run(
      `with gone as (delete from team_members where team_id = $1 and user_id = $2 returning team_id)
       update teams set member_count = member_count - 1 from gone where teams.id = gone.team_id returning id`,
      [id, viewer],
    ),
  evaluate: (id, viewer, { score }) =>
    run(
      `update submissions set status = 'approved', score = $2, points = $2, evaluated_by = $3, evaluated_at = now()
       where id = $1 and status = 'pending' returning id`,
      [id, Number(score), viewer],
    ),
}

const answerFlat: Handler = async (request, response, viewer) => {
  if (request.method === 'GET') {
    const answer = flatAnswers[pathOf(request)]
    return answer ? sendData(response, await answer()) : sendJson(response, '{}', 404)
  }
  const [, id = '', what = ''] = ACTION.exec(request.url ?? '') ?? []
  const body = (await json(request)) as Row
  const done = await writes[what]?.(id, viewer, body)
  return done?.length ? sendData(response, { id }) : sendJson(response, '{}', 409)
}

const answerByKind = kind === 'raw' ? answerRaw : answerFlat

http
  .createServer((request, response) => {
    viewerOf(request)
      .then((viewer) => answerByKind(request, response, viewer))
      .catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        sendJson(response, '{}', 500)
      })
  })
  .listen(Number(PORT), '127.0.0.1')

process.on('disconnect', () => process.exit())
