import { teams } from '@community/db/schema'
import { rounds, validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { countOf, errorCodeOf, outcomesOf } from '../../test/fixture.ts'
import { secondsFromNow, LINK_WORK, openWorkFixture, type FixtureTeam } from '../../test/work-fixture.ts'

const password = 'Zellige-2026'

const fixture = await openWorkFixture()
const second = fixture.openPool().db
afterEach(() => expectInvariants(fixture.db))
afterAll(() => fixture.close())

const createRejected = async (team: FixtureTeam, challengeId: string): Promise<string> => {
  const id = await fixture.applyWithLink(team, challengeId)
  await fixture.as(fixture.judge).evaluate({ id, status: 'rejected', feedback: 'Please add the source.' })
  return id
}
const createApproved = async (team: FixtureTeam, challengeId: string, score = 80): Promise<string> => {
  const id = await fixture.applyWithLink(team, challengeId)
  await fixture.as(fixture.judge).evaluate({ id, status: 'approved', score })
  return id
}
const findStanding = async ({ id }: FixtureTeam) => {
  const row = await fixture.db.query.teams.findFirst({ where: eq(teams.id, id) })
  return [row?.points, row?.challengesCompleted]
}
const findLedger = async ({ id }: FixtureTeam) =>
  (await fixture.sql`select reason, delta from points_ledger where team_id = ${id} order by id`).map((row) => [
    row['reason'],
    row['delta'],
  ])
const RESUBMISSION = { status: 'pending' } as const

describe('resubmitting a rejected submission', () => {
  it('is for the chef and the submitter, and clears verdict and feedback', async () => {
    const [lina, omar] = [await fixture.createMember(), await fixture.createMember()]
    const team = await fixture.createTeam({ members: [lina, omar] })
    const { id: challengeId } = await fixture.createChallenge()
    const { data } = await fixture.as(lina).submit({ id: challengeId, teamName: team.name.toUpperCase(), ...LINK_WORK })
    const { id } = data.submission
    await fixture.as(fixture.judge).evaluate({ id, status: 'rejected', feedback: 'Please add the source.' })

    expect(await errorCodeOf(fixture.as(omar).resubmit({ id, ...RESUBMISSION }))).toBe('SUBMITTER_ONLY')
    expect(await errorCodeOf(fixture.as(await fixture.createMember()).resubmit({ id, ...RESUBMISSION }))).toBe(
      'SUBMISSION_MISSING',
    )
    const result = await fixture.as(lina).resubmit({ id, ...RESUBMISSION })
    expect(result.message).toBe('Submission status updated to pending. Waiting for admin review.')
    expect(result.data.submission).toMatchObject({ status: 'pending', feedback: null, evaluatedAt: null, score: null })
    expect(await errorCodeOf(fixture.as(team.chef).resubmit({ id, ...RESUBMISSION }))).toBe('NOT_REJECTED')
    await fixture.as(fixture.judge).evaluate({ id, status: 'rejected' })
    expect((await fixture.as(team.chef).resubmit({ id, ...RESUBMISSION })).data.submission.status).toBe('pending')
  })

  it('puts it behind what waits already, while a revoked verdict leaves it in its place', async () => {
    const { id: challengeId } = await fixture.createChallenge()
    const [first, second] = [await fixture.createTeam(), await fixture.createTeam()]
    const again = await createRejected(first, challengeId)
    const waiting = await fixture.applyWithLink(second, challengeId)
    const judge = fixture.as(fixture.judge)
    const queue = async () => {
      const [pending, list] = await Promise.all([
        judge.pending({ limit: 100 }),
        judge.submissions({ challengeId, status: 'pending' }),
      ])
      const ids = pending.data.submissions.map(({ id }) => id).filter((id) => id === again || id === waiting)
      expect(list.data.submissions.map(({ id }) => id)).toEqual(ids.toReversed())
      return ids
    }
    await judge.reset({ id: again })
    expect(await queue()).toEqual([again, waiting])
    await judge.evaluate({ id: again, status: 'rejected' })
    await fixture.as(first.chef).resubmit({ id: again, ...RESUBMISSION })
    expect(await queue()).toEqual([waiting, again])
    await judge.evaluate({ id: again, status: 'approved', score: 50 })
    await judge.reset({ id: again })
    expect(await queue()).toEqual([waiting, again])
  })

  it('requires an open challenge, a free slot and an active team', async () => {
    const team = await fixture.createTeam()
    const { id: challengeId } = await fixture.createChallenge()
    const id = await createRejected(team, challengeId)
    const attempt = () => errorCodeOf(fixture.as(team.chef).resubmit({ id, ...RESUBMISSION }))
    await fixture.patchChallenge(challengeId, { isActive: false })
    expect(await attempt()).toBe('CHALLENGE_INACTIVE')
    await fixture.patchChallenge(challengeId, { isActive: true, deadline: secondsFromNow(-1) })
    expect(await attempt()).toBe('CHALLENGE_EXPIRED')
    await fixture.patchChallenge(challengeId, { deadline: secondsFromNow(3600) })
    await fixture.asTeamCaller(team.chef).update({ id: team.id, isActive: false })
    expect(await attempt()).toBe('TEAM_INACTIVE')
    await fixture.db.update(teams).set({ isActive: true }).where(eq(teams.id, team.id))
    await fixture.applyWithLink(team, challengeId)
    expect(await attempt()).toBe('ALREADY_APPLIED')
  })

  it('checks the current members: one who moved to another team that applied no longer prevents it', async () => {
    const [role] = await rolesOf(fixture.db)
    const shared = await fixture.createMember()
    const [first, other] = [await fixture.createTeam({ members: [shared] }), await fixture.createTeam()]
    const { id: challengeId } = await fixture.createChallenge()
    const id = await createRejected(first, challengeId)
    await fixture.asTeamCaller(shared).join(validInput('teams.join', { id: other.id, role }))
    await fixture.applyWithLink(other, challengeId)
    expect(await errorCodeOf(fixture.as(first.chef).resubmit({ id, ...RESUBMISSION }))).toBe('MEMBER_ALREADY_APPLIED')
    await fixture.asTeamCaller(shared).leave({ id: first.id })
    expect((await fixture.as(first.chef).resubmit({ id, ...RESUBMISSION })).data.submission.status).toBe('pending')
  })

  it('respects maxSubmissions: 50 concurrent applications and resubmissions, on two pools', async () => {
    const team = await fixture.createTeam()
    for (let round = 0; round < rounds(10, 3); round++) {
      const { id: challengeId } = await fixture.createChallenge({ maxSubmissions: 2 })
      const old = [
        await createRejected(team, challengeId),
        await createRejected(team, challengeId),
        await createRejected(team, challengeId),
      ]
      const codes = await outcomesOf(
        Array.from({ length: 50 }, (_, n) => {
          const calls = fixture.as(team.chef, n % 2 ? second : fixture.db)
          const id = old[n % 5]
          return id
            ? calls.resubmit({ id, ...RESUBMISSION })
            : calls.apply({ id: challengeId, teamId: team.id, ...LINK_WORK })
        }),
      )
      expect(countOf(codes, 'ok')).toBe(2)
    }
  })
})

describe('revoking a verdict', () => {
  it('removes the points, in the ledger too, and leaves the submission pending', async () => {
    const team = await fixture.createTeam()
    const { id: challengeId } = await fixture.createChallenge({ points: 100 })
    const id = await createApproved(team, challengeId, 80)
    expect(await findStanding(team)).toEqual([80, 1])
    const { data } = await fixture.as(fixture.judge).reset({ id })
    expect(data.submission).toMatchObject({ status: 'pending', score: null, points: null, evaluatedBy: null })
    expect(await findStanding(team)).toEqual([0, 0])
    // Teams that never had points are not ranked.
    expect(
      (await fixture.sql`select points_reached_at from teams where id = ${team.id}`)[0]?.points_reached_at,
    ).toBeNull()
    expect(await findLedger(team)).toEqual([
      ['award', 80],
      ['reset', -80],
    ])
    expect(await errorCodeOf(fixture.as(fixture.judge).reset({ id }))).toBe('NOT_EVALUATED')
    await fixture.as(fixture.judge).evaluate({ id, status: 'approved', score: 50 })
    expect(await findStanding(team)).toEqual([50, 1])
  })

  it('keeps the points of another approved submission for the challenge', async () => {
    const team = await fixture.createTeam()
    const { id: challengeId } = await fixture.createChallenge({ points: 100, maxSubmissions: 2 })
    await createApproved(team, challengeId, 60)
    const best = await createApproved(team, challengeId, 90)
    await fixture.as(fixture.judge).reset({ id: best })
    expect(await findStanding(team)).toEqual([60, 1])
    expect((await findLedger(team)).at(-1)).toEqual(['reset', -30])
  })

  it('spares a later verdict than the one the administrator saw', async () => {
    const team = await fixture.createTeam()
    const id = await createApproved(team, (await fixture.createChallenge({ points: 100 })).id, 80)
    const judge = fixture.as(fixture.judge)
    const seen = (await judge.submission({ id })).data.submission.evaluatedAt ?? undefined
    await judge.reset({ id, evaluatedAt: seen })
    const { data } = await judge.evaluate({ id, status: 'approved', score: 95 })
    expect(await errorCodeOf(judge.reset({ id, evaluatedAt: seen }))).toBe('EVALUATION_CHANGED')
    expect(await findStanding(team)).toEqual([95, 1])
    await judge.reset({ id, evaluatedAt: data.submission.evaluatedAt ?? undefined })
    expect(await findStanding(team)).toEqual([0, 0])
  })

  it('of a rejected submission requires a free slot', async () => {
    const team = await fixture.createTeam()
    const { id: challengeId } = await fixture.createChallenge()
    const id = await createRejected(team, challengeId)
    await fixture.applyWithLink(team, challengeId)
    await expect(fixture.as(fixture.judge).reset({ id })).rejects.toMatchObject({
      definition: { code: 'ALREADY_APPLIED', message: expect.stringContaining('Reject or delete another one first') },
    })
  })

  it('rejects evaluators who were in the team, and members', async () => {
    const member = await fixture.createMember()
    const team = await fixture.createTeam({ members: [member] })
    const { id: challengeId } = await fixture.createChallenge()
    const id = await createApproved(team, challengeId)
    await fixture.sql`update users set role = 'admin' where id = ${member.id}`
    expect(await errorCodeOf(fixture.as({ ...member, role: 'admin' }).reset({ id }))).toBe('OWN_TEAM')
    expect(await errorCodeOf(fixture.as(team.chef).reset({ id }))).toBe('ADMINS_ONLY')
  })

  it('concurrent with other verdicts ends in a consistent state, repeatedly', async () => {
    const team = await fixture.createTeam()
    for (let round = 0; round < rounds(50, 10); round++) {
      const { id: challengeId } = await fixture.createChallenge()
      const id = await createApproved(team, challengeId)
      await outcomesOf([
        fixture.as(fixture.judge).reset({ id }),
        fixture.as(fixture.judge, second).reset({ id }),
        fixture.as(fixture.judge, second).evaluate({ id, status: 'approved', score: 10 }),
        fixture.as(fixture.judge).evaluate({ id, status: 'rejected' }),
        fixture.as(team.chef, second).resubmit({ id, ...RESUBMISSION }),
      ])
    }
    await expectInvariants(fixture.db)
  })
})

describe('deleting', () => {
  it('a submission removes its file and points, and leaves its name in the audit log', async () => {
    const team = await fixture.createTeam()
    const { id: challengeId, title } = await fixture.createChallenge({ points: 100 })
    const file = await fixture.createUpload(team.chef)
    const { data } = await fixture.as(team.chef).apply({
      id: challengeId,
      teamId: team.id,
      type: 'upload',
      content: file.secureUrl,
    })
    const { id } = data.submission
    await fixture.as(fixture.judge).evaluate({ id, status: 'approved', score: 70 })
    const codes = await outcomesOf([
      fixture.as(fixture.judge).remove({ id, password }),
      fixture.as(fixture.judge, second).remove({ id, password }),
    ])
    expect(codes.toSorted()).toEqual(['SUBMISSION_MISSING', 'ok'])
    expect(await findStanding(team)).toEqual([0, 0])
    const [entry] =
      await fixture.sql`select details ->> 'name' as name from audit_log where target_id = ${id} order by id desc limit 1`
    expect(entry?.['name']).toBe(`${team.name} · ${title}`)
    expect((await findLedger(team)).at(-1)).toEqual(['removal', -70])
    expect(await fixture.storage.open(file.key).catch(() => null)).toBeNull()
    expect((await fixture.as(null).challenge({ id: challengeId })).data.challenge.submissionCount).toBe(0)
  })

  it('a challenge removes its submissions and only its own points, during concurrent applications', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => fixture.createTeam()))
    const { id: otherChallenge } = await fixture.createChallenge({ points: 100 })
    for (const team of all) await createApproved(team, otherChallenge, 10)
    for (let round = 0; round < rounds(20, 5); round++) {
      const { id } = await fixture.createChallenge({ points: 100 })
      const [first, ...others] = all
      if (!first) throw new Error('no team')
      await createApproved(first, id, 90)
      const codes = await outcomesOf([
        ...others.map((team) => fixture.applyWithLink(team, id)),
        fixture.as(fixture.judge, second).deleteChallenge({ id, password }),
      ])
      expect(codes.at(-1)).toBe('ok')
      for (const code of codes) expect(['ok', 'CHALLENGE_MISSING']).toContain(code)
      for (const team of all) expect(await findStanding(team)).toEqual([10, 1])
    }
  })
})

describe('changing a challenge', () => {
  it('keeps awarded points, and rejects a past deadline or a maxSubmissions below what a team has', async () => {
    const team = await fixture.createTeam()
    const challenge = await fixture.createChallenge({ points: 100, maxSubmissions: 3 })
    await createApproved(team, challenge.id, 80)
    await fixture.applyWithLink(team, challenge.id)
    const change = (wanted: object) =>
      fixture.as(fixture.judge).updateChallenge({ id: challenge.id, password, ...wanted })
    const { data } = await change({ points: 500, title: 'Médina maps' })
    expect(data.challenge).toMatchObject({ points: 500, title: 'Médina maps', maxSubmissions: 3 })
    expect(await findStanding(team)).toEqual([80, 1])
    expect((await fixture.as(null).challenges({ search: 'medina' })).data.challenges).toHaveLength(1)
    expect(await errorCodeOf(change({ deadline: secondsFromNow(-5).toISOString() }))).toBe('DEADLINE_PAST')
    expect(await errorCodeOf(change({ maxSubmissions: 1 }))).toBe('MORE_ALREADY_SUBMITTED')
    await change({ maxSubmissions: 2 })
    // An expired challenge may be edited without moving its deadline.
    await fixture.patchChallenge(challenge.id, { deadline: secondsFromNow(-60) })
    const { deadline } = (await fixture.as(fixture.judge).challenge({ id: challenge.id })).data.challenge
    expect((await change({ deadline, description: 'It is over.' })).data.challenge.description).toBe('It is over.')
  })
})

describe('a project submission', () => {
  it('is accepted from any member, for their own team by its name', async () => {
    const [lina, stranger] = [await fixture.createMember(), await fixture.createMember()]
    const team = await fixture.createTeam({ members: [lina] })
    const { id } = await fixture.createChallenge()
    const input = { id, teamName: `  ${team.name.toUpperCase()} `, ...LINK_WORK, submissionNotes: 'By Lina.' }
    expect(await errorCodeOf(fixture.as(stranger).submit(input))).toBe('TEAM_MISSING')
    const { data } = await fixture.as(lina).submit(input)
    expect(data.submission).toMatchObject({
      teamId: { id: team.id },
      submittedBy: { id: lina.id },
      metadata: { submissionNotes: 'By Lina.' },
    })
    expect(await errorCodeOf(fixture.as(lina).submit(input))).toBe('ALREADY_APPLIED')
    expect(await errorCodeOf(fixture.as(lina).apply({ id, teamId: team.id, ...LINK_WORK }))).toBe('CHEF_REQUIRED')
  })
})

describe('reading submissions', () => {
  it('of a challenge returns approved ones, those of the viewer’s teams, and all to administrators', async () => {
    const [first, other] = [await fixture.createTeam(), await fixture.createTeam()]
    const { id } = await fixture.createChallenge()
    const [seen, hidden] = [await createApproved(first, id), await fixture.applyWithLink(other, id)]
    const read = async (user: Parameters<typeof fixture.as>[0]) =>
      (await fixture.as(user).ofChallenge({ id })).data.submissions.map((submission) => submission.id)
    expect(await read(null)).toEqual([seen])
    expect(await read(first.chef)).toEqual([seen])
    expect(await read(other.chef)).toEqual([hidden, seen])
    expect(await read(fixture.judge)).toEqual([hidden, seen])
    await fixture.patchChallenge(id, { isActive: false })
    expect(await errorCodeOf(read(null))).toBe('CHALLENGE_MISSING')
  })

  it('of all challenges returns figures and the highest scores to everyone', async () => {
    const { stats } = (await fixture.as(null).stats()).data
    const [row] =
      await fixture.sql`select count(*)::int as total, (count(*) filter (where status = 'pending'))::int as pending,
      round(avg(score), 1)::float8 as average from submissions`
    expect(stats).toMatchObject({
      totalSubmissions: row?.['total'],
      pendingSubmissions: row?.['pending'],
      averageScore: row?.['average'],
    })
    const { submissions } = (await fixture.as(null).best({ limit: 3 })).data
    const scores = submissions.map(({ score }) => score ?? 0)
    expect(scores).toHaveLength(3)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(submissions[0]?.submittedBy).not.toHaveProperty('email')
  })
})
