import { auditLog, challenges } from '@community/db/schema'
import { type InputOf, validInput } from '@community/testing'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../../test/fixture.ts'
import { secondsFromNow, openWorkFixture } from '../../test/work-fixture.ts'

const fixture = await openWorkFixture()
afterAll(() => fixture.close())

const form = (over: Partial<InputOf<'admin.createChallenge'>> = {}) => validInput('admin.createChallenge', over)

describe('createChallenge', () => {
  it('stores the input with defaults for omitted fields', async () => {
    const { data, message } = await fixture.as(fixture.judge).createChallenge(form({ title: '  Zellige  ' }))
    expect(message).toBe('Challenge created successfully')
    expect(data.challenge).toMatchObject({
      title: 'Zellige',
      requirements: form().requirements,
      points: 100,
      maxSubmissions: 1,
      category: 'Web Development',
      difficulty: 'Beginner',
      tags: [],
      evaluationCriteria: [],
      resources: [],
      isActive: true,
      submissionCount: 0,
    })
    expect((await fixture.as(null).challenge({ id: data.challenge.id })).data).toEqual(data)
    expect((await fixture.as(null).challenges({ search: 'zellige' })).data.challenges).toHaveLength(1)
  })
  it('rejects an administrator whose role was revoked after the access check', async () => {
    const demoted = { ...(await fixture.createMember()), role: 'admin' as const }
    expect(await errorCodeOf(fixture.as(demoted).createChallenge(form()))).toBe('ADMINS_ONLY')
  })
  it('stores resources with title and normalised URL', async () => {
    const resources = [
      { title: 'Docs', url: 'HTTPS://Example.ma/docs', type: 'tool' as const },
      { title: 'No address', url: ' ' },
      { title: '', url: 'https://example.ma' },
    ]
    const expected = [{ title: 'Docs', url: 'https://example.ma/docs', type: 'tool' }]
    const judge = fixture.as(fixture.judge)
    const { challenge } = (await judge.createChallenge(form({ resources }))).data
    expect(challenge.resources).toEqual(expected)
    const changed = await judge.updateChallenge({ id: challenge.id, password: 'Zellige-2026', resources })
    expect(changed.data.challenge.resources).toEqual(expected)
  })
  it('rejects a deadline less than two minutes ahead of the database clock', async () => {
    const [row] = await fixture.sql<{ now: number }[]>`select (extract(epoch from now()) * 1000)::float8 as now`
    const ahead = (seconds: number) => new Date((row?.now ?? 0) + seconds * 1000).toISOString()
    const judge = fixture.as(fixture.judge)
    for (const deadline of [ahead(-60), ahead(0), ahead(119.9)])
      expect(await errorCodeOf(judge.createChallenge(form({ deadline })))).toBe('DEADLINE_TOO_SOON')
    await judge.createChallenge(form({ deadline: ahead(130) }))
  })
  it('accepts a deadline in any ISO 8601 form up to the year 9999', async () => {
    const judge = fixture.as(fixture.judge)
    const withDeadline = async (deadline: string) =>
      (await judge.createChallenge(form({ deadline }))).data.challenge.deadline
    expect(await withDeadline(`2096-01-01T01:00:00.${'1'.repeat(300)}+01:00`)).toBe('2096-01-01T00:00:00.111Z')
    expect(await withDeadline('9999-12-31T23:59:59Z')).toBe('9999-12-31T23:59:59.000Z')
    for (const deadline of ['9999-12-31T23:59:59-23:00', '0000-01-01T00:00:00+23:00'])
      await expect(judge.createChallenge(form({ deadline }))).rejects.toThrow('Deadline is too far away')
  })
  it('says whether a deadline is missing or in another format', async () => {
    const create = (deadline: unknown) => fixture.as(fixture.judge).createChallenge(form({ deadline } as never))
    for (const missing of [undefined, null, '']) await expect(create(missing)).rejects.toThrow('Deadline is required')
    for (const wrong of ['2096-01-01', '2096-01-01T10:00', 4_000_000_000_000])
      await expect(create(wrong)).rejects.toThrow('Not a valid date and time')
  })
  it('writes an audit entry and stores no password', async () => {
    const { data } = await fixture.as(fixture.judge).createChallenge(form())
    const [entry] = await fixture.db.select().from(auditLog).where(eq(auditLog.targetId, data.challenge.id))
    expect(entry).toMatchObject({ action: 'admin.createChallenge', actorId: fixture.judge.id, targetType: 'challenge' })
    const [row] = await fixture.db.select().from(challenges).where(eq(challenges.id, data.challenge.id))
    expect(row?.createdBy).toBe(fixture.judge.id)
    expect(JSON.stringify([entry, row])).not.toContain('Hassan-II-1999')
  })
})

it('deactivateChallenge writes an audit entry with the canonical challenge id', async () => {
  const { id } = await fixture.createChallenge()
  await fixture.as(fixture.judge).deactivateChallenge({ id: id.toUpperCase(), password: 'Hassan-II-1999' })
  const entries = await fixture.db.select().from(auditLog).where(eq(auditLog.targetId, id))
  expect(entries.map(({ action }) => action)).toEqual(['admin.deactivateChallenge'])
})

describe('challenge totals', () => {
  it('count open and expired challenges regardless of the list’s filters', async () => {
    const list = async () => (await fixture.as(fixture.judge).allChallenges({ search: 'nothing is called so' })).data
    const before = await list()
    await fixture.as(fixture.judge).createChallenge(form({ points: 300 }))
    const { data } = await fixture.as(fixture.judge).createChallenge(form({ points: 50 }))
    await fixture.db
      .update(challenges)
      .set({ deadline: secondsFromNow(-60) })
      .where(eq(challenges.id, data.challenge.id))
    const after = await list()
    expect(after.challenges).toEqual([])
    expect(after.totals).toEqual({
      total: before.totals.total + 2,
      active: before.totals.active + 1,
      expired: before.totals.expired + 1,
      points: before.totals.points + 350,
    })
  })
})
