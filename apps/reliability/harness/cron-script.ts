// A script that cron starts, with its state in a file: applies a team to every new challenge. `kill` ends it between two calls.
import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Challenge, Submission } from '@community/contract'
import { CRON_EXIT, type CronState } from './cron-state.ts'

/** Milliseconds by which a change may be committed later than its `updatedAt`. */
const OVERLAP_MS = 10_000

const [file = '', killAfter = ''] = process.argv.slice(2)
const state = JSON.parse(readFileSync(file, 'utf8')) as CronState
let steps = 0

function save(): void {
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
}

/** Called before and after each call: the process dies at the step that the test chose. */
function step(): void {
  if (String(steps++) === killAfter) process.kill(process.pid, 'SIGKILL')
}

/** What the calls below return. */
interface Body {
  code?: string
  data?: { challenges?: Challenge[]; submissions?: Submission[]; submission?: Submission }
}

async function call(method: string, path: string, options: { headers?: Record<string, string>; body?: object } = {}) {
  step()
  const response = await fetch(state.url + path, {
    method,
    headers: {
      authorization: `Bearer ${state.token}`,
      ...(options.body && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body && { body: JSON.stringify(options.body) }),
  }).catch(() => process.exit(CRON_EXIT.tryLater))
  const text = await response.text().catch(() => process.exit(CRON_EXIT.tryLater))
  step()
  const body = (text === '' ? {} : JSON.parse(text)) as Body
  if (body.code === 'TOKEN_EXPIRED') process.exit(CRON_EXIT.tokenExpired)
  if ([429, 500, 503].includes(response.status)) process.exit(CRON_EXIT.tryLater)
  return { status: response.status, etag: response.headers.get('etag'), ...body }
}

function fail(what: string): never {
  process.stderr.write(`${what}\n`)
  process.exit(CRON_EXIT.wrong)
}

async function findChallenges(): Promise<void> {
  const since = state.updatedSince ? `&updatedSince=${encodeURIComponent(state.updatedSince)}` : ''
  const headers = { ...(state.etag && { 'if-none-match': state.etag }) }
  const { status, etag, data } = await call('GET', `/challenges?limit=100${since}`, { headers })
  state.figures.polls++
  if (status === 304) state.figures.notModified++
  else if (status !== 200) fail(`the list answered ${status}`)
  else {
    const challenges = data?.challenges ?? []
    for (const { id } of challenges) state.applications[id] ??= { key: randomUUID() }
    const [newest] = challenges
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .slice(-1)
    const next = newest && new Date(Date.parse(newest) - OVERLAP_MS).toISOString()
    // Another address has another ETag.
    if (next && next > (state.updatedSince ?? '')) Object.assign(state, { updatedSince: next, etag: undefined })
    else if (etag) state.etag = etag
  }
  save()
}

/** The submission of an application whose response is lost for good. */
async function findSubmission(challengeId: string): Promise<string | undefined> {
  const { data } = await call('GET', `/teams/${state.teamId}/submissions?limit=100`)
  return data?.submissions?.find((row) => row.challengeId.id === challengeId)?.id
}

async function apply(challengeId: string, key: string): Promise<void> {
  const body = { teamId: state.teamId, type: 'link', content: 'https://github.com/atlas-lions/app' }
  const headers = { 'idempotency-key': key }
  const { status, code, data } = await call('POST', `/challenges/${challengeId}/apply`, { headers, body })
  if (code === 'IDEMPOTENCY_KEY_RUNNING') process.exit(CRON_EXIT.tryLater)
  if (status !== 201 && code !== 'IDEMPOTENCY_KEY_SPENT') fail(`an application answered ${status} ${code}`)
  const submissionId = status === 201 ? data?.submission?.id : await findSubmission(challengeId)
  state.applications[challengeId] = { key, submissionId }
  save()
}

await findChallenges()
for (const [id, { key, submissionId }] of Object.entries(state.applications)) if (!submissionId) await apply(id, key)
