import { challenges, submissionMembers, uploads } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { refusalOf } from '../../test/stage.ts'
import { inSeconds, link, openWorkStage, type WorkStage } from '../../test/work-stage.ts'
import { toFailure } from '../http/failure.ts'

let stage: WorkStage
beforeAll(async () => {
  stage = await openWorkStage()
})
afterAll(async () => {
  await expectInvariants(stage.db)
  await stage.close()
})

const submissionCountOf = async (id: string) => {
  const [row] = await stage.db.select({ n: challenges.submissionCount }).from(challenges).where(eq(challenges.id, id))
  return row?.n
}

describe('applying with a link', () => {
  it('creates a pending submission, counts it, and stores a snapshot of the members', async () => {
    const member = await stage.member()
    const team = await stage.team({ members: [member] })
    const challenge = await stage.challenge({ points: 250 })
    const { data, message } = await stage.as(team.chef).apply({
      id: challenge.id,
      teamId: team.id,
      type: 'link',
      content: 'HTTPS://GitHub.com/atlas',
      applicationNotes: 'Sign in as guest',
    })
    expect(message).toBe('Application submitted successfully!')
    expect(data.submission).toEqual({
      id: data.submission.id,
      _id: data.submission.id,
      challengeId: { id: challenge.id, _id: challenge.id, title: challenge.title, points: 250 },
      teamId: { id: team.id, _id: team.id, name: team.name },
      submittedBy: { id: team.chef.id, name: team.chef.name, email: team.chef.email },
      type: 'link',
      content: 'https://github.com/atlas',
      fileInfo: null,
      metadata: { submissionNotes: 'Sign in as guest' },
      status: 'pending',
      score: null,
      points: null,
      feedback: null,
      evaluatedBy: null,
      createdAt: data.submission.createdAt,
      evaluatedAt: null,
    })
    expect(await submissionCountOf(challenge.id)).toBe(1)
    const snapshot = await stage.db
      .select({ userId: submissionMembers.userId })
      .from(submissionMembers)
      .where(eq(submissionMembers.submissionId, data.submission.id))
    expect(new Set(snapshot.map(({ userId }) => userId))).toEqual(new Set([team.chef.id, member.id]))
  })

  it('rejects an unknown challenge or team', async () => {
    const team = await stage.team()
    const challenge = await stage.challenge()
    const chef = stage.as(team.chef)
    expect(await refusalOf(chef.apply({ id: team.id, teamId: team.id, ...link }))).toBe('CHALLENGE_MISSING')
    expect(await refusalOf(chef.apply({ id: challenge.id, teamId: challenge.id, ...link }))).toBe('TEAM_MISSING')
  })

  it('rejects members, strangers and administrators who are not the chef', async () => {
    const member = await stage.member()
    const team = await stage.team({ members: [member] })
    const { id } = await stage.challenge()
    for (const somebody of [member, await stage.member(), stage.judge])
      expect(await refusalOf(stage.as(somebody).apply({ id, teamId: team.id, ...link }))).toBe('CHEF_REQUIRED')
    expect(await submissionCountOf(id)).toBe(0)
  })

  it('rejects an inactive challenge and an expired one, by the database’s clock', async () => {
    const team = await stage.team()
    const inactive = await stage.challenge({ isActive: false })
    const over = await stage.challenge({ deadline: inSeconds(-1) })
    const chef = stage.as(team.chef)
    expect(await refusalOf(chef.apply({ id: inactive.id, teamId: team.id, ...link }))).toBe('CHALLENGE_INACTIVE')
    expect(await refusalOf(chef.apply({ id: over.id, teamId: team.id, ...link }))).toBe('CHALLENGE_EXPIRED')
  })

  it('checks the deadline after waiting for the lock, not at the start of the transaction', async () => {
    const team = await stage.team()
    const { id } = await stage.challenge()
    const other = stage.anotherPool()
    let attempt: Promise<string> | undefined
    await other.sql.begin(async (tx) => {
      await tx`select id from challenges where id = ${id} for update`
      attempt = refusalOf(stage.as(team.chef).apply({ id, teamId: team.id, ...link }))
      await waitingForLock(1)
      await tx`update challenges set deadline = clock_timestamp() where id = ${id}`
    })
    expect(await attempt).toBe('CHALLENGE_EXPIRED')
  })

  it('rejects an inactive team', async () => {
    const team = await stage.team()
    const { id } = await stage.challenge()
    await stage.sql`update teams set is_active = false where id = ${team.id}`
    expect(await refusalOf(stage.as(team.chef).apply({ id, teamId: team.id, ...link }))).toBe('TEAM_INACTIVE')
  })

  it('accepts up to maxSubmissions; a rejected one frees its slot', async () => {
    const team = await stage.team()
    const { id } = await stage.challenge({ maxSubmissions: 2 })
    const first = await stage.applied(team, id)
    await stage.applied(team, id)
    expect(await refusalOf(stage.applied(team, id))).toBe('ALREADY_APPLIED')
    await stage.as(stage.judge).evaluate({ id: first, status: 'rejected' })
    const third = await stage.applied(team, id)
    await stage.as(stage.judge).evaluate({ id: third, status: 'approved', score: 50 })
    expect(await refusalOf(stage.applied(team, id))).toBe('ALREADY_APPLIED')
    expect(await submissionCountOf(id)).toBe(3)
  })
})

describe('a person in two teams', () => {
  it('cannot apply to one challenge twice; the error names the challenge, not the person', async () => {
    const shared = await stage.member('Nadia Berrada')
    const [first, second] = [await stage.team({ members: [shared] }), await stage.team({ members: [shared] })]
    const challenge = await stage.challenge({ title: 'Riad bookings' })
    await stage.applied(first, challenge.id)
    const { body } = toFailure(await stage.applied(second, challenge.id).catch((error: unknown) => error))
    expect(body.code).toBe('MEMBER_ALREADY_APPLIED')
    expect(body.message).toContain('Riad bookings')
    expect(body.message).not.toContain('Nadia')
    await stage.applied(second, (await stage.challenge()).id)
  })

  it('counts in the teams they belonged to when those applied, not in those joined later', async () => {
    const [leaver, newcomer] = [await stage.member(), await stage.member()]
    const first = await stage.team({ members: [leaver] })
    const { id } = await stage.challenge()
    await stage.applied(first, id)
    await stage.teamsAs(leaver).leave({ id: first.id })
    expect(await refusalOf(stage.applied(await stage.team({ members: [leaver] }), id))).toBe('MEMBER_ALREADY_APPLIED')

    const [role] = (await stage.teamsAs(newcomer).get({ id: first.id })).data.team.rolesNeeded
    if (!role) throw new Error('the team needs no role')
    await stage.sql`insert into team_members (team_id, user_id, name, email)
      values (${first.id}, ${newcomer.id}, 'New', 'new@example.ma')`
    await stage.sql`update teams set member_count = member_count + 1 where id = ${first.id}`
    await stage.applied(await stage.team({ members: [newcomer] }), id)
  })

  it('can apply again once the other team’s submission was rejected', async () => {
    const shared = await stage.member()
    const [first, second] = [await stage.team({ members: [shared] }), await stage.team({ members: [shared] })]
    const { id } = await stage.challenge()
    const work = await stage.applied(first, id)
    await stage.as(stage.judge).evaluate({ id: work, status: 'rejected' })
    await stage.applied(second, id)
  })
})

describe('T-G5 applying with a file', () => {
  const attachedAt = async (id: string) => {
    const [row] = await stage.db.select({ at: uploads.attachedAt }).from(uploads).where(eq(uploads.id, id))
    return row?.at
  }

  it('attaches the caller’s own upload and shows the file data of its row', async () => {
    const team = await stage.team()
    const { id } = await stage.challenge()
    const file = await stage.upload(team.chef, 'تقرير نهائي.pdf')
    const { data } = await stage.as(team.chef).apply({
      id,
      teamId: team.id,
      type: 'file',
      content: file.secureUrl,
      fileInfo: { originalName: 'other.exe', fileSize: 1, mimeType: 'text/html' },
    })
    expect(data.submission).toMatchObject({
      type: 'upload',
      content: file.secureUrl,
      fileInfo: { originalName: 'تقرير نهائي.pdf', fileSize: 64, mimeType: 'application/pdf' },
    })
    expect(await attachedAt(file.id)).toBeInstanceOf(Date)
  })

  it('rejects a stranger’s file, a used one, one that does not exist, and any other URL', async () => {
    const team = await stage.team()
    const { id } = await stage.challenge({ maxSubmissions: 5 })
    const [mine, foreign] = [await stage.upload(team.chef), await stage.upload(await stage.member())]
    const apply = (content: string) => refusalOf(stage.applied(team, id, { type: 'upload', content }))
    for (const content of [
      foreign.secureUrl,
      mine.secureUrl.replace(mine.key, `20260101-${'a'.repeat(32)}`),
      mine.secureUrl.replace('localhost:3000', 'localhost:3001'),
      mine.secureUrl.replace('/files/', '/other/'),
      'https://github.com/atlas-lions/app',
    ])
      expect(await apply(content)).toBe('FILE_MISSING')
    await stage.applied(team, id, { type: 'upload', content: mine.secureUrl })
    expect(await apply(mine.secureUrl)).toBe('FILE_MISSING')
    expect(await attachedAt(foreign.id)).toBeNull()
  })

  it('leaves the file unused if the application is rejected', async () => {
    const team = await stage.team()
    const { id } = await stage.challenge()
    await stage.applied(team, id)
    const file = await stage.upload(team.chef)
    expect(await refusalOf(stage.applied(team, id, { type: 'upload', content: file.secureUrl }))).toBe(
      'ALREADY_APPLIED',
    )
    expect(await attachedAt(file.id)).toBeNull()
  })

  it('accepts one file for one of two concurrent applications', async () => {
    const team = await stage.team()
    const ids = await Promise.all([stage.challenge(), stage.challenge(), stage.challenge()])
    const { secureUrl } = await stage.upload(team.chef)
    const outcomes = await Promise.allSettled(
      ids.map(({ id }) => stage.applied(team, id, { type: 'upload', content: secureUrl })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

/** Resolves once this many backends of the database wait for a lock. */
async function waitingForLock(many: number): Promise<void> {
  for (;;) {
    const [row] = await stage.sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if ((row?.n ?? 0) >= many) return
  }
}
