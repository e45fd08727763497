// The lower bound: Node's HTTP server and the driver, nothing else. Each read uses the cheaper of two ways: rows joined here, or JSON
// built by PostgreSQL.
import { createHash } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import postgres from 'postgres'
import { CARD, CHALLENGE, dashboard, leaders, openFirst, TEAMS_TOTAL, teamsPage, works } from './bare-statements.ts'

type Row = Record<string, unknown>

const { DATABASE_URL = '', PORT = '0' } = process.env
const sql = postgres(DATABASE_URL, { max: 4, onnotice: () => {}, connection: { jit: false } })
const query = (text: string, values: postgres.ParameterOrJSON<never>[] = []) =>
  sql.unsafe<Row[]>(text, values, { prepare: true })

/** The user of a token, by the one statement that every signed-in request of the product begins with. */
async function viewerOf({ headers: { authorization = '' } }: IncomingMessage): Promise<string> {
  if (authorization === '') return ''
  const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest('hex')
  const [session] = await query(
    `select s.user_id from sessions s join users u on u.id = s.user_id join refresh_families f on f.id = s.family_id
     where s.id = $1 and not u.is_banned and f.revoked_at is null and s.expires_at > now()`,
    [hash],
  )
  const id = session?.user_id
  return typeof id === 'string' ? id : ''
}

async function teamCards(): Promise<Row> {
  const [teams, roles, [pagination]] = await Promise.all([
    query(`select ${CARD}, t.created_at as "createdAt" from (${teamsPage}) t`),
    query(`select n.team_id, r.id, r.name, r.emoji from (${teamsPage}) t join team_roles_needed n on n.team_id = t.id
      join roles r on r.id = n.role_id order by n.position, r.id`),
    query(`select ${TEAMS_TOTAL} as total`),
  ])
  const rolesOf = new Map<unknown, Row[]>(teams.map(({ id }) => [id, []]))
  for (const { team_id, ...role } of roles) rolesOf.get(team_id)?.push(role)
  return { teams: teams.map((team) => ({ ...team, rolesNeeded: rolesOf.get(team.id) })), pagination }
}

async function activeChallenges(): Promise<Row> {
  const [challenges, [pagination]] = await Promise.all([
    query(`select ${CHALLENGE}, deadline, created_at as "createdAt" from challenges
      where is_active order by ${openFirst} limit 50`),
    query('select count(*)::int as total from challenges where is_active'),
  ])
  return { challenges, pagination }
}

const serialize = (data: unknown): string => JSON.stringify({ success: true, message: 'OK', data })
const fromPostgres = async (statement: string, values: string[] = []): Promise<Buffer> => {
  const [row] = await query(statement, values).raw()
  return row?.[0] as unknown as Buffer
}

const READS: Record<string, (viewer: string) => Promise<string | Buffer>> = {
  '/api/teams/leaderboard': async () =>
    serialize({ leaderboard: (await query(leaders)).map((row, index) => ({ rank: index + 1, ...row })) }),
  '/api/teams': async () => serialize(await teamCards()),
  '/api/challenges': async () => serialize(await activeChallenges()),
  '/api/submissions/approved': () => fromPostgres(works),
  '/api/users/dashboard': (viewer) => fromPostgres(dashboard, [viewer]),
}

const WRITE_PATH = /^\/api\/(?:teams|submissions)\/([^/]+)\/(join|leave|evaluate)$/
const WRITES: Record<string, (id: string, viewer: string, body: Row) => Promise<Row[]>> = {
  join: (id, viewer, { name, email, role }) =>
    query(
      `with seat as (update teams set member_count = member_count + 1 where id = $1 and is_active and member_count < max_members returning id)
       insert into team_members (team_id, user_id, role_id, name, email) select id, $2, $3, $4, $5 from seat returning id`,
      [id, viewer, (role as { id: string }).id, String(name), String(email)],
    ),
  leave: (id, viewer) =>
    query(
      `with gone as (delete from team_members where team_id = $1 and user_id = $2 returning team_id)
       update teams set member_count = member_count - 1 from gone where teams.id = gone.team_id returning id`,
      [id, viewer],
    ),
  evaluate: (id, viewer, { score }) =>
    query(
      `update submissions set status = 'approved', score = $2, points = $2, evaluated_by = $3, evaluated_at = now()
       where id = $1 and status = 'pending' returning id`,
      [id, Number(score), viewer],
    ),
}

/** The response's body; undefined for an unknown path or a write without effect. */
async function respond(request: IncomingMessage): Promise<string | Buffer | undefined> {
  const viewer = await viewerOf(request)
  const [path = ''] = (request.url ?? '').split('?')
  if (request.method === 'GET') return READS[path]?.(viewer)
  const [, id = '', action = ''] = WRITE_PATH.exec(path) ?? []
  const changed = await WRITES[action]?.(id, viewer, (await json(request)) as Row)
  return changed?.length ? serialize({ id }) : undefined
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': length })
  response.end(body)
}

http
  .createServer((request, response) => {
    respond(request).then(
      (body) => send(response, body === undefined ? 404 : 200, body ?? '{}'),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        send(response, 500, '{}')
      },
    )
  })
  .listen(Number(PORT), '127.0.0.1')
