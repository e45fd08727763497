/** What became of a mutant that survived. */
export interface Judgement {
  file: string
  change: string
  /** Why it does what the original does: nobody could notice it. */
  equal?: string
  /** The test that was written for it, or what else was done. */
  now?: string
}

const auth = 'apps/server/src/auth'

export const judgements: Judgement[] = [
  {
    file: `${auth}/mail-code.ts`,
    change: 'isMailed → false',
    now: 'codes.test.ts: is mailed at once, not at the worker’s next look',
  },
  {
    file: `${auth}/verify-registration.ts`,
    change: `'' → "Stryker was here!"`,
    equal: 'an insert that does not throw answers its row; the rest is for the types',
  },
  {
    file: `${auth}/session-adapter.ts`,
    change: "`now() - interval '1 day'` → ``",
    equal: 'Lucia asks for the method and nobody calls it; its body is gone since',
  },
  {
    file: `${auth}/session-adapter.ts`,
    change: '{ return Promise.resolve([]) } → {}',
    equal: 'Lucia asks for the method and nobody calls it',
  },
  {
    file: `${auth}/sign-in-codes.ts`,
    change: 'userId === null → false',
    now: 'sign-in.test.ts: that is nobody’s signs nobody in, however right it is',
  },
  {
    file: 'packages/contract/src/teams/rules.ts',
    change: 'false → true',
    now: 'a default that nobody used: it is gone',
  },
  {
    file: 'packages/contract/src/submissions/rules.ts',
    change: 'points !== null → true',
    now: 'rules.test.ts: counts the best approved submission of each challenge once',
  },
  {
    file: 'apps/server/src/teams/list-user-teams.ts',
    change: 'user.id === id → false',
    equal: 'one is a member of one’s own teams, which shows them already; the condition is gone since',
  },
  {
    file: `${auth}/passwords.ts`,
    change:
      'Math.min(4, Math.max(1, availableParallelism() - 1)) → Math.max(4, Math.max(1, availableParallelism() - 1))',
    now: 'passwords.test.ts: hashes as many at once as leave a core to those who answer, and four at most',
  },
  {
    file: 'apps/server/src/teams/leave-team.ts',
    change: "!(await lockUser(tx, ctx.user.id, 'share')) → false",
    now: 'leave-team.test.ts: is for people who are still there',
  },
  {
    file: 'apps/server/src/submissions/reading-store.ts',
    change: `'submissions_pending' → ""`,
    now: 'reading.test.ts: of pending ones begin with the longest wait',
  },
  {
    file: 'apps/server/src/teams/fill-empty-contact.ts',
    change: 'news.length === 0 → false',
    now: 'create-team.test.ts: fills what the profile does not say and changes nothing that it says',
  },
]
