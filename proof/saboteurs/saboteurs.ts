/** A deliberate fault: `find`, which stands in `file` exactly once, becomes `replace`; one of the tests must then fail. */
export interface Saboteur {
  what: string
  file: string
  find: string
  replace: string
  /** Whose tests; the server's unless said otherwise. */
  suite?: 'apps/server' | 'packages/contract'
  /** Its folders or files that should notice. */
  tests: string[]
}

const server = (file: string) => `apps/server/src/${file}`
const contract = (file: string) => `packages/contract/src/${file}`
const SCHEMA = 'drizzle/migrations/0001_whole_domain.sql'

const CODES = ['src/auth/codes.test.ts', 'src/auth/reset-password.test.ts', 'src/auth/sign-in.test.ts']

export const saboteurs: Saboteur[] = [
  {
    what: 'A team is read without its lock',
    file: server('teams/store.ts'),
    find: "    .where(eq(teams.id, which))\n    .for('update')\n",
    replace: '    .where(eq(teams.id, which))\n',
    tests: ['src/teams'],
  },
  {
    what: 'A challenge is read without its lock',
    file: server('challenges/store.ts'),
    find: "    .where(eq(challenges.id, which))\n    .for('update')\n",
    replace: '    .where(eq(challenges.id, which))\n',
    tests: ['src/challenges', 'src/submissions/afterwards.test.ts'],
  },
  {
    what: 'A verdict is written over another',
    file: server('submissions/store.ts'),
    find: "    .where(and(eq(submissions.id, id), sql`${submissions.status} = 'pending'`))",
    replace: '    .where(eq(submissions.id, id))',
    tests: ['src/submissions', 'test/second-walls.test.ts'],
  },
  {
    what: 'A refresh family is read without its lock',
    file: server('auth/rotate-tokens.ts'),
    find: "    .where(eq(refreshFamilies.id, known.familyId))\n    .for('update')",
    replace: '    .where(eq(refreshFamilies.id, known.familyId))',
    tests: ['src/auth/sessions.test.ts', 'src/auth/tokens-at-both-doors.test.ts'],
  },
  {
    what: 'A spent refresh token is good again',
    file: server('auth/rotate-tokens.ts'),
    find: 'if (isSpent && !(isInGrace && newest === generation + 1))',
    replace: 'if (isSpent && !isInGrace && newest === generation + 1)',
    tests: ['src/auth/sessions.test.ts'],
  },
  {
    what: 'A code may be tried without end',
    file: server('auth/codes.ts'),
    find: '.where(and(isMeant, lt(codes.tries, limits.OTP_TRIES), gt(codes.expiresAt, sql`now()`)))',
    replace: '.where(and(isMeant, gt(codes.expiresAt, sql`now()`)))',
    tests: CODES,
  },
  {
    what: 'A code never expires',
    file: server('auth/codes.ts'),
    find: '.where(and(isMeant, lt(codes.tries, limits.OTP_TRIES), gt(codes.expiresAt, sql`now()`)))',
    replace: '.where(and(isMeant, lt(codes.tries, limits.OTP_TRIES)))',
    tests: CODES,
  },
  {
    what: 'A code is used as often as one likes',
    file: server('auth/codes.ts'),
    find: '  if (used.length === 0) throw new Refusal(faults.codeInvalid)\n',
    replace: '',
    tests: CODES,
  },
  {
    what: 'A code is mailed as often as one likes',
    file: server('auth/codes.ts'),
    find: '      setWhere: isOpenForNew,\n',
    replace: '',
    tests: CODES,
  },
  {
    what: 'A ban leaves the sessions alive',
    file: server('admin/ban.ts'),
    find: "    await endAllFamilies(tx, userId, 'banned')\n",
    replace: '',
    tests: ['src/admin/moderation.test.ts'],
  },
  {
    what: 'A ban leaves the codes alive',
    file: server('admin/ban.ts'),
    find: '    await deleteCodesOf(tx, userId)\n',
    replace: '',
    tests: ['src/admin/moderation.test.ts'],
  },
  {
    what: 'A banned person signs in',
    file: server('auth/sessions.ts'),
    find: '  if (row.isBanned) throw new Refusal(faults.banned)\n',
    replace: '',
    tests: ['src/auth'],
  },
  {
    what: 'A ban is not audited',
    file: server('admin/ban.ts'),
    find: "    await audit(tx, ctx, { action: 'admin.ban', targetType: 'user', targetId: userId, details: { reason } })\n",
    replace: '',
    tests: ['src/admin/moderation.test.ts', 'test/audit-walk.test.ts'],
  },
  {
    what: 'An administrator’s call needs no administrator',
    file: server('trpc.ts'),
    find: "  if (ctx.user?.role !== 'admin') throw new Refusal(faults.adminsOnly)\n",
    replace: '',
    tests: ['test/doors.test.ts', 'test/permissions-rest.test.ts', 'src/admin'],
  },
  {
    what: 'The password is not asked for',
    file: server('admin/confirm-admin-password.ts'),
    find: '  if (isRight) return\n',
    replace: '  if (isRight || known) return\n',
    tests: ['src/admin/confirm-admin-password.test.ts'],
  },
  {
    what: 'The password may be guessed without end',
    file: server('admin/confirm-admin-password.ts'),
    find: 'await attempting(db, [guard], compare)',
    replace: 'await attempting(db, [], compare)',
    tests: ['src/admin/confirm-admin-password.test.ts'],
  },
  {
    what: 'Visitors see teams whole',
    file: server('teams/views.ts'),
    find: 'viewer ? fullTeams(db, rows) : teamCards(db, rows)',
    replace: 'fullTeams(db, rows)',
    tests: ['src/teams', 'test/doors.test.ts'],
  },
  {
    what: 'Work that is not approved is everybody’s',
    file: server('submissions/views.ts'),
    find: "  row.status === 'approved' || isInside(row, viewer)",
    replace: "  row.status !== 'rejected' || isInside(row, viewer)",
    tests: ['src/submissions'],
  },
  {
    what: 'The submitter’s address is told to everybody',
    file: server('submissions/views.ts'),
    find: '      ...(inside && { email: submittedBy.email }),',
    replace: '      email: submittedBy.email,',
    tests: ['src/submissions', 'src/challenges'],
  },
  {
    what: 'One judges one’s own team',
    file: contract('submissions/rules.ts'),
    find: "  if (evaluator.isOrWasInTeam) return ownTeam\n  if (submission.status !== 'pending') return notPending",
    replace: "  if (submission.status !== 'pending') return notPending",
    tests: ['src/submissions'],
  },
  {
    what: 'Halves of points round down',
    file: contract('submissions/rules.ts'),
    find: '(challengePoints * score + 50) / 100',
    replace: '(challengePoints * score + 49) / 100',
    suite: 'packages/contract',
    tests: ['src'],
  },
  {
    what: 'The deadline itself is in time',
    file: contract('challenges/rules.ts'),
    find: 'millis(challenge.deadline) > now.getTime()',
    replace: 'millis(challenge.deadline) >= now.getTime()',
    suite: 'packages/contract',
    tests: ['src'],
  },
  {
    what: 'A full team takes one more',
    file: contract('teams/rules.ts'),
    find: 'team.memberCount >= team.maxMembers)',
    replace: 'team.memberCount > team.maxMembers)',
    suite: 'packages/contract',
    tests: ['src'],
  },
  {
    what: 'The youngest member becomes chef',
    file: contract('teams/rules.ts'),
    find: 'time(a) - time(b) ||',
    replace: 'time(b) - time(a) ||',
    suite: 'packages/contract',
    tests: ['src'],
  },
  {
    what: 'Points are not settled by an approval',
    file: server('submissions/evaluate-submission.ts'),
    find: "verdict.status === 'approved' ? settleStanding(tx, entry) : 0",
    replace: '0',
    tests: ['src/submissions'],
  },
  {
    what: 'The ledger is not written',
    file: server('submissions/store.ts'),
    find: 'delta from changed returning delta`)',
    replace: 'delta from changed where false returning delta`)',
    tests: ['src/submissions'],
  },
  {
    what: 'Somebody else’s upload is taken into use',
    file: server('uploads/store.ts'),
    find: 'and(eq(uploads.key, wanted), eq(uploads.userId, userId), isNull(uploads.attachedAt))',
    replace: 'and(eq(uploads.key, wanted), isNull(uploads.attachedAt))',
    tests: ['src/uploads', 'src/challenges'],
  },
  {
    what: 'A file may run scripts',
    file: server('uploads/file-routes.ts'),
    find: "    'content-security-policy': \"sandbox; default-src 'none'\",\n",
    replace: '',
    tests: ['src/uploads'],
  },
  {
    what: 'Pages of other sites may post',
    file: server('app.ts'),
    find: "    if (!isSafe && headers['sec-fetch-site'] === 'cross-site') throw new Refusal(faults.crossSite)\n",
    replace: '    void isSafe\n',
    tests: ['test/doors.test.ts', 'test/before-routing.test.ts'],
  },
  {
    what: 'Administrators and members share what is kept',
    file: server('procedures.ts'),
    find: "  return kept === 'by role' ? user.role : undefined\n",
    replace: "  return kept === 'by role' ? 'member' : undefined\n",
    tests: ['src/procedures.test.ts'],
  },
  {
    what: 'A repeated Idempotency-Key acts twice',
    file: server('idempotency.ts'),
    find: '  if (kept) return replay<T>(ctx, kept)\n',
    replace: '  if (kept) return run()\n',
    tests: ['src/idempotency.test.ts'],
  },
  {
    what: 'Two workers send one mail',
    file: server('outbox.ts'),
    find: '    const isFree = or(isNull(outbox.leaseUntil), lt(outbox.leaseUntil, sql`now()`))',
    replace: '    const isFree = or(isNull(outbox.leaseUntil), sql`true`)',
    tests: ['src/outbox.test.ts'],
  },
  {
    what: 'A limit lets one more through',
    file: server('rate-limits.ts'),
    find: 'isOver} or ${rateLimits.count} < ${max}`',
    replace: 'isOver} or ${rateLimits.count} <= ${max}`',
    tests: ['src/rate-limits.test.ts'],
  },
  {
    what: 'Counts do not follow a ban',
    file: 'drizzle/migrations/0007_counts_and_standings.sql',
    find: 'WHEN (OLD.is_banned <> NEW.is_banned)',
    replace: 'WHEN (false)',
    tests: ['src/counts.test.ts'],
  },
  {
    what: 'Team names are not unique',
    file: SCHEMA,
    find: 'CREATE UNIQUE INDEX "teams_name_unique"',
    replace: 'CREATE INDEX "teams_name_unique"',
    tests: ['src/teams'],
  },
  {
    what: 'One joins a team twice',
    file: SCHEMA,
    find: '\tCONSTRAINT "team_members_once" UNIQUE("team_id","user_id")',
    replace: '\tCONSTRAINT "team_members_once" CHECK (true)',
    tests: ['test/second-walls.test.ts'],
  },
  {
    what: 'A team has two chefs',
    file: SCHEMA,
    find: 'CREATE UNIQUE INDEX "team_members_one_chef"',
    replace: 'CREATE INDEX "team_members_one_chef"',
    tests: ['test/second-walls.test.ts'],
  },
  {
    what: 'One upload is handed in twice',
    file: SCHEMA,
    find: '\tCONSTRAINT "submissions_upload_once" UNIQUE("upload_id"),\n',
    replace: '',
    tests: ['test/second-walls.test.ts'],
  },
]
