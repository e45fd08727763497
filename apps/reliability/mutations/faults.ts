/**
 * A deliberate fault that one of the tests must notice. In a source file `find` is a pattern of TypeScript (`$` is any expression, an object
 * in parentheses with one property is that property) that matches once, and `replace` is what it becomes. In `unique`, an index or constraint of the
 * migrations no longer is.
 */
export type Fault = { what: string; tests: string[] } & (
  | { file: string; find: string; replace: string }
  | { unique: string }
)

const server = (what: string, file: string, find: string, replace: string, tests: string[]): Fault => ({
  what,
  file: `apps/server/src/${file}`,
  find,
  replace,
  tests: tests.map((test) => `apps/server/${test}`),
})
const rule = (what: string, file: string, find: string, replace: string): Fault => ({
  what,
  file: `packages/contract/src/${file}`,
  find,
  replace,
  tests: [`packages/contract/src/${file.split('/')[0]}`],
})
const unique = (what: string, name: string, test: string): Fault => ({
  what,
  unique: name,
  tests: [`apps/server/${test}`],
})

const LOCK = "$.for('update')"
const AUTH = ['src/auth']
const CODES = ['src/auth/codes.test.ts', 'src/auth/reset-password.test.ts', 'src/auth/sign-in.test.ts']
const BANS = ['src/admin/moderation.test.ts']
const PASSWORD = ['src/admin/confirm-admin-password.test.ts']

// biome-ignore format: a table
export const faults: Fault[] = [
  // Locks
  server('A team is read without its lock', 'teams/commands.ts', `$.where(eq(teams.id, teamId)).for('update')`, '$.where(eq(teams.id, teamId))', ['src/teams']),
  server('A challenge is read without its lock', 'challenges/commands.ts', `$.where(eq(challenges.id, challengeId)).for('update')`, '$.where(eq(challenges.id, challengeId))', ['src/challenges', 'src/submissions/afterwards.test.ts']),
  server('A refresh family is read without its lock', 'auth/session-commands.ts', LOCK, '$', ['src/auth/sessions.test.ts', 'src/auth/tokens-at-both-transports.test.ts']),
  server('Two workers send one mail', 'jobs/queue.ts', 'lt(jobs.leaseUntil, sql`now()`)', 'sql`true`', ['src/jobs/mail.test.ts']),
  // Guards
  server('A verdict is written over another', 'submissions/commands.ts', 'and(eq(submissions.id, id), pendingCondition)', 'eq(submissions.id, id)', ['src/submissions', 'test/constraints.test.ts']),
  server('A spent refresh token is good again', 'auth/rotate-tokens.ts', 'isSpent && !(isInGrace && isSameClient && newest === generation + 1)', 'isSpent && !isInGrace && newest === generation + 1', ['src/auth/sessions.test.ts']),
  server('A code may be tried without end', 'auth/code-commands.ts', 'and(unexpiredCondition(selector), lt(codes.attempts, limits.CODE_ATTEMPTS_MAX))', 'unexpiredCondition(selector)', CODES),
  server('A code never expires', 'auth/code-queries.ts', 'and(unusedCondition(selector), gt(codes.expiresAt, sql`now()`))', 'unusedCondition(selector)', CODES),
  server('With an id a code may be tried without end', 'auth/check-code.ts', '({ max: limits.CODE_ATTEMPTS_MAX })', 'max: 1000', ['src/auth/lockouts.test.ts']),
  server('Anybody makes a device cookie', 'auth/device-cookie.ts', 'isSigned ? deviceId : undefined', 'deviceId', ['src/auth/lockouts.test.ts']),
  server('A code is used as often as one likes', 'auth/check-code.ts', 'if (!(await markCodeUsed(tx, code))) throw new AppError(appErrors.codeInvalid)', '', CODES),
  server('A code is mailed as often as one likes', 'auth/code-commands.ts', '({ setWhere: cooldownElapsed })', 'setWhere: undefined', CODES),
  server('A ban leaves the sessions alive', 'admin/ban.ts', "await endAllFamilies(tx, userId, 'banned')", '', BANS),
  server('A ban leaves the codes alive', 'admin/ban.ts', 'await deleteUserCodes(tx, userId)', '', BANS),
  server('A banned person signs in', 'users/lock-user.ts', 'if (user.isBanned) throw new AppError(appErrors.banned)', '', AUTH),
  server('A ban is not audited', 'admin/ban.ts', "await audit(tx, ctx, { action: 'admin.ban', targetId: userId, details: { reason } })", '', [...BANS, 'test/audit-log.test.ts']),
  server('An administrator’s call needs no administrator', 'personal-tokens/assert-scope.ts', "if (role !== 'admin') throw new AppError(appErrors.adminsOnly)", '', ['test/transports.test.ts', 'src/admin']),
  server('The password is not asked for', 'admin/confirm-admin-password.ts', 'if (isCorrect) return', 'return', PASSWORD),
  server('The password may be guessed without end', 'admin/confirm-admin-password.ts', 'limitWrongAttempts(db, [limit], verify)', 'limitWrongAttempts(db, [], verify)', PASSWORD),
  server('Visitors see teams whole', 'teams/views.ts', 'viewer ? loadTeams(db, rows) : loadTeamCards(db, rows)', 'loadTeams(db, rows)', ['src/teams', 'test/transports.test.ts']),
  server('Work that is not approved is everybody’s', 'submissions/views.ts', "row.status === 'approved'", "row.status !== 'rejected'", ['src/submissions']),
  server('The submitter’s address is shown to everyone', 'submissions/views.ts', 'seesAll && { email: submittedBy.email }', '{ email: submittedBy.email }', ['src/submissions', 'src/challenges']),
  server('Points are not settled by an approval', 'submissions/evaluate-submission.ts', "status === 'approved' ? recalculateStanding(tx, entry) : UNCHANGED", 'UNCHANGED', ['src/submissions']),
  server('Somebody else’s upload is taken into use', 'uploads/commands.ts', 'and(eq(uploads.key, key), eq(uploads.userId, $), isNull(uploads.attachedAt))', 'and(eq(uploads.key, key), isNull(uploads.attachedAt))', ['src/uploads', 'src/challenges']),
  server('A file may run scripts', 'uploads/file-routes.ts', `({ 'content-security-policy': "sandbox; default-src 'none'" })`, "'x-fault': '1'", ['src/uploads']),
  server('Pages of other sites may post', 'http/reject-early.ts', "headers['sec-fetch-site'] === 'cross-site'", "headers['sec-fetch-site'] === 'never'", ['test/transports.test.ts', 'test/before-routing.test.ts']),
  server('Administrators and members share what is kept', 'trpc/procedures.ts', "cached === 'by role' ? user.role : undefined", "cached === 'by role' ? 'member' : undefined", ['src/trpc/procedures.test.ts']),
  server('A batch costs as little as one call', 'http/request-limits.ts', 'readLimit.admit(request, units)', 'readLimit.admit(request, 1)', ['test/read-limits.test.ts']),
  server('Strangers at an address use up what its members may', 'http/rate-limit-client.ts', "({ kind: 'person', key: `person ${userId}`, site })", "{ kind: 'address', key: `address ${ipKey(request.ip)}`, site }", ['src/http', 'test/read-limits.test.ts']),
  server('A repeated Idempotency-Key acts twice', 'http/idempotency.ts', 'if (stored) return replay(ctx, stored) as T', 'if (stored) return run()', ['src/http/idempotency.test.ts']),
  server('One judges one’s own team', 'submissions/evaluate-submission.ts', '({ isOrWasInTeam: isInsider })', 'isOrWasInTeam: false', ['src/submissions']),
  rule('Halves of points round down', 'submissions/rules.ts', 'challengePoints * score + 50', 'challengePoints * score + 49'),
  rule('The deadline itself is in time', 'challenges/rules.ts', 'toMillis(challenge.deadline) > now.getTime()', 'toMillis(challenge.deadline) >= now.getTime()'),
  rule('A full team takes one more', 'teams/rules.ts', 'team.memberCount >= team.maxMembers', 'team.memberCount > team.maxMembers'),
  rule('The youngest member becomes chef', 'teams/rules.ts', 'time(a) - time(b)', 'time(b) - time(a)'),
  server('A limit lets one more through', 'http/rate-limits.ts', 'sql`${windowEnded} or ${rateLimits.count} < ${maxParam}`', 'sql`${windowEnded} or ${rateLimits.count} <= ${maxParam}`', ['src/http/rate-limits.test.ts']),
  // Unique indexes and constraints
  unique('Team names are not unique', 'teams_name_unique', 'src/teams'),
  unique('One joins a team twice', 'team_members_once', 'test/constraints.test.ts'),
  unique('A team has two chefs', 'team_members_one_chef', 'test/constraints.test.ts'),
  unique('One upload is submitted twice', 'submissions_upload_once', 'test/constraints.test.ts'),
]
