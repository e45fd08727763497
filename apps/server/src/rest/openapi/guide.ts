import { appErrors, type ErrorDefinition, limits } from '@community/contract'
import { WHAT_TO_DO } from '@community/contract/what-to-do'
import type { Config } from '../../config.ts'
import { READ_COST, WINDOW_SECONDS } from '../../http/read-limit.ts'
import { createSnippets } from './snippets.ts'

const isError = (value: unknown): value is ErrorDefinition =>
  typeof value === 'object' && value !== null && 'code' in value && 'status' in value

/** One row per error of the catalogue, by status and code. */
function errorTable(): string[] {
  const errors = Object.entries(appErrors).flatMap(([name, error]) => (isError(error) ? [{ ...error, name }] : []))
  const sorted = errors.toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
  const rows = sorted.map(
    ({ code, status, message, name }) =>
      `| \`${code}\` | ${status} | ${message} | ${WHAT_TO_DO[name as keyof typeof WHAT_TO_DO]} |`,
  )
  return ['| code | status | meaning | what to do |', '| --- | --- | --- | --- |', ...rows]
}

const minutes = (seconds: number) => seconds / limits.MINUTE
const megabytes = (bytes: number) => bytes / 1024 ** 2

/** The limits of clients in the settings of the server. */
export type ClientLimits = Pick<Config, 'readUnits' | 'concurrentRequests'>

/** The guide at the head of the document, in Markdown. `url` is the API's. */
export const createGuide = (url: string, { readUnits, concurrentRequests }: ClientLimits): string =>
  [
    'Teams, timed challenges, judged work and a leaderboard for Moroccan IT people.',
    '',
    '## The first call, in one minute',
    '',
    'Public reads need no token:',
    '',
    ...createSnippets(url),
    '',
    '## Tokens',
    '',
    `- \`POST /auth/login\` returns a \`token\` (${minutes(limits.ACCESS_TOKEN_TTL)} minutes) and a \`refreshToken\` (${limits.REFRESH_TOKEN_TTL / limits.DAY} days). Send the first as \`Authorization: Bearer\`.`,
    '- Scripts send a personal access token (`POST /users/tokens`) the same way: `read` allows what a member may read, `write` also a member’s other operations, `admin` also administration, without `password` in bodies. Credentials, sign-ins, tokens, push messages and the download of one’s data need a session.',
    '- With `requiresOTP: true` it mailed a code instead: send that to `POST /auth/verify-otp`.',
    '- On 401 with `TOKEN_EXPIRED` call `POST /auth/refresh` and repeat the request; also with `NOT_SIGNED_IN`, which an access token gets a day after it expired. A refresh token works once: store the new one.',
    '- An invalid token is rejected on public operations too, except where an operation says that it ignores tokens.',
    '',
    '## Pages',
    '',
    `Lists take \`limit\` (at most ${limits.PAGE_SIZE.max}), and most of them \`page\`. To read everything, send \`pagination.nextCursor\` as \`cursor\` until it is null: that costs the same at any depth, and rows that are added or removed meanwhile shift nothing. \`page\` ends at row ${limits.OFFSET_MAX.toLocaleString('en')}.`,
    '',
    '## Errors',
    '',
    'A success is `{ success: true, message, data }`, a failure `{ success: false, message, code, requestId }`. Decide by `code`. `errors` names the fields: each has a `code`, such as `INVALID_TYPE` (missing, or of another type), `TOO_SHORT`, `TOO_LONG`, `TOO_FEW`, `TOO_MANY`, `TOO_SMALL`, `TOO_BIG` (with the limit in `params.n`), `INVALID_VALUE` (with the choices in `params.values`), `INVALID_FORMAT`, `UNKNOWN_FIELD`, `REPEATED` (a parameter given twice) or `INVALID`. `cooldown` is the seconds to wait, `requestId` names the request when you report a problem. The texts of failures follow `Accept-Language` (`en`, `fr`, `ar`) and are English by default; `code`, `template` and `params` do not depend on it.',
    '',
    'Every operation lists its codes. Codes may be added: treat an unknown one by its status. Besides those, any address answers 404 `NOT_FOUND` when nothing is there, 405 `METHOD_NOT_ALLOWED` with `Allow`, and 413 `TOO_LARGE` for a URL of more than 16 KB.',
    '',
    '`PASSWORD_TOO_COMMON` is returned where the list of common passwords is enabled: by default in production only.',
    '',
    ...errorTable(),
    '',
    '## Repeating a request',
    '',
    `Operations that create or evaluate something take an \`Idempotency-Key\`, except \`POST /users/tokens\` and \`POST /webhooks\`, which ignore it because their responses have a secret. For ${limits.IDEMPOTENCY_KEY_TTL / limits.HOUR} hours the same key with the same body takes effect once, and repeats its response. After a lost response, send the same key again. A user may have ${limits.IDEMPOTENCY_KEYS_MAX.toLocaleString('en')} keys at a time.`,
    '',
    '## Following changes',
    '',
    '- Reads that many people share carry an `ETag`, works only without a token. Send it back as `If-None-Match`: 304 without a body until the data change.',
    '- Lists of teams, challenges and submissions take `updatedSince`. Ask for ten seconds more than you need. Rows that left a list are not reported.',
    '- `GET /events` streams what changes as Server-Sent Events, and `GET /notifications` lists what concerns you. Servers receive webhooks.',
    '',
    '## Limits',
    '',
    '| what | limit |',
    '| --- | --- |',
    `| a JSON body | ${limits.JSON_BODY_BYTES_MAX / 1024} KiB |`,
    `| a file | ${megabytes(limits.UPLOAD_BYTES_MAX)} MiB; ${limits.UPLOAD_FILES_MAX} at once |`,
    `| uploads of a user in a day | ${limits.UPLOADS_PER_DAY} files, ${megabytes(limits.UPLOAD_BYTES_PER_DAY)} MiB |`,
    `| profile pictures of a user in a day | ${limits.UPLOADS_PER_DAY} |`,
    `| an upload that nothing uses | deleted after ${limits.ORPHAN_TTL / limits.HOUR} hours |`,
    `| teams that a user creates in a day | ${limits.TEAMS_PER_DAY} |`,
    `| joins of a user | ${limits.TEAM_JOINS.perDay} a day; of the same team ${limits.TEAM_JOINS.perTeamAndHour} an hour |`,
    `| personal access tokens of a user | ${limits.TOKENS_MAX} |`,
    `| webhooks of a team, and of the community | ${limits.WEBHOOKS_MAX}; together ${limits.WEBHOOK_SENDS_PER_HOUR} pings and redeliveries an hour |`,
    `| reads | ${readUnits.perUser} units of a signed-in user, ${readUnits.perIp} of an IP address without a sign-in; spent units are back within ${WINDOW_SECONDS} seconds. \`RateLimit-Policy\` has the budget, \`RateLimit\` what is left |`,
    `| the cost of a read | ${READ_COST.cached} unit from the cache, otherwise ${READ_COST.database}; a search ${READ_COST.search}, a table as CSV ${READ_COST.table}, the download of one’s data ${READ_COST.export} |`,
    `| concurrent requests | ${concurrentRequests.perUser} of a signed-in user, ${concurrentRequests.perIp} of an IP address without a sign-in; more wait for up to two seconds |`,
    `| refreshes of a sign-in | ${limits.REFRESHES_MAX} in ${minutes(limits.REFRESHES_WINDOW)} minutes |`,
    `| sign-ins and codes of an IP address | ${limits.SIGN_IN_REQUESTS_PER_IP.toLocaleString('en')} in ${minutes(limits.SIGN_IN_WINDOW)} minutes, ${limits.SIGN_IN_FAILURES_PER_IP} of them wrong |`,
    `| wrong passwords | ${limits.SIGN_IN_ATTEMPTS_MAX} in ${minutes(limits.SIGN_IN_WINDOW)} minutes; of an administrator’s confirmation ${limits.ADMIN_PASSWORD_ATTEMPTS_MAX} in ${minutes(limits.ADMIN_PASSWORD_WINDOW)} |`,
    `| wrong codes | ${limits.CODE_ATTEMPTS_MAX} of a code, ${limits.CODE_FAILURES_PER_DAY} a day; of registrations and password resets ${limits.CODE_ID_FAILURES_PER_IP} an hour from an IP address |`,
    `| a mailed code | valid for ${minutes(limits.CODE_TTL)} minutes; a new one after ${minutes(limits.CODE_COOLDOWN)} |`,
    `| requests that mail something | ${limits.MAIL_REQUESTS_PER_HOUR} an hour from an IP address |`,
    `| codes mailed to an address that anyone can enter: registration, password reset | ${limits.UNSOLICITED_MAILS_PER_DAY.perIp} a day from an IP address, ${limits.UNSOLICITED_MAILS_PER_DAY.total} in total; then one an hour |`,
    `| event streams | ${limits.STREAMS_MAX.person} of a signed-in user, ${limits.STREAMS_MAX.address} of an IP address without a sign-in, ${limits.STREAMS_MAX.site} of an IPv6 /48; each ends after ${minutes(limits.ACCESS_TOKEN_TTL)} minutes |`,
    `| lists without pages | roles ${limits.ROLES_MAX}, tokens ${limits.TOKENS_MAX}, standings ${limits.STANDINGS_MAX} |`,
    '',
    'Responses with 429 and 503 carry `Retry-After`. Operations that mail a code may respond 428: solve the challenge of `GET /auth/proof-of-work` and repeat the request with `X-Proof-Of-Work`.',
    '',
    '## Webhooks',
    '',
    `Chefs receive the events of their team, administrators those of the whole community: \`POST /webhooks\`, at most ${limits.WEBHOOKS_MAX} per owner. \`webhooks\` of this document describes the messages. They are signed by [Standard Webhooks](https://www.standardwebhooks.com): check \`webhook-signature\` with the secret, and drop a \`webhook-id\` that you have seen. Answer with a 2xx within seconds; otherwise it is sent again for a day, ${limits.WEBHOOK_RETRY_DELAYS.length} times. When that fails too, and no message was accepted for ${limits.WEBHOOK_FAILING_MAX / limits.DAY} days, the webhook is paused, with a mail.`,
    '',
    '## Versions',
    '',
    'The version of this document is the product’s; CHANGELOG.md lists what changed. Without notice we may add operations, optional request fields, response fields, enum values in responses and error codes, and change the text of messages: ignore what you do not know. Requests are closed: an unknown body field is an error. What is to go is marked `deprecated` for at least six months first, and its responses carry `Deprecation` and `Sunset`.',
  ].join('\n')
