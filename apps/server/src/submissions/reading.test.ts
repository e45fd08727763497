import { teams } from '@community/db/schema'
import { times } from '@community/testing'
import { teamRow } from '@community/testing/database/rows'
import { afterAll, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../../test/fixture.ts'
import { openWorkFixture } from '../../test/work-fixture.ts'
import type { Caller } from '../context.ts'
import { findWorks } from './queries.ts'

/** Submissions of the Atlas team unless stated otherwise, in submission order. */
const works: Record<'rejected' | 'good' | 'best' | 'waiting' | 'ofRif', string> = {
  rejected: '',
  good: '',
  best: '',
  waiting: '',
  ofRif: '',
}

const fixture = await openWorkFixture()
const member = await fixture.createMember()
const stranger = await fixture.createMember()
const atlas = await fixture.createTeam({ name: 'Lions de l’Été', members: [member] })
const rif = await fixture.createTeam({ name: 'Rif 100%' })
const challenge = await fixture.createChallenge({ title: 'Carte de la médina', maxSubmissions: 5 })
const other = await fixture.createChallenge({ title: 'Souk online', maxSubmissions: 5 })
const judge = fixture.as(fixture.judge)
const notes = { applicationNotes: 'Sign in as guest' }
works.rejected = await fixture.applyWithLink(atlas, challenge.id, notes)
works.good = await fixture.applyWithLink(atlas, challenge.id, notes)
works.best = await fixture.applyWithLink(atlas, other.id)
works.ofRif = await fixture.applyWithLink(rif, other.id)
works.waiting = await fixture.applyWithLink(atlas, other.id)
await judge.evaluate({ id: works.rejected, status: 'rejected', feedback: 'No' })
await judge.evaluate({ id: works.good, status: 'approved', score: 60, feedback: 'Good' })
await judge.evaluate({ id: works.best, status: 'approved', score: 95 })
await judge.evaluate({ id: works.ofRif, status: 'approved', score: 60 })
afterAll(() => fixture.close())

const nameOf = (id: string) => Object.entries(works).find(([, work]) => work === id)?.[0]
const namesOf = (rows: { id: string }[]) => rows.map(({ id }) => nameOf(id))

describe('community works', () => {
  const worksOf = async (input: object) => {
    const { data } = await fixture.as(null).works(input)
    return namesOf(data.submissions)
  }
  it('are the approved submissions, for everyone, in three orders', async () => {
    expect(await worksOf({})).toEqual(['ofRif', 'best', 'good'])
    expect(await worksOf({ sort: 'oldest' })).toEqual(['good', 'best', 'ofRif'])
    expect(await worksOf({ sort: 'highest' })).toEqual(['best', 'good', 'ofRif'])
  })
  it('are searched only by the names of team and challenge', async () => {
    expect(await worksOf({ search: 'medina' })).toEqual(['good'])
    expect(await worksOf({ search: 'lions de l’ete', sort: 'highest' })).toEqual(['best', 'good'])
    expect(await worksOf({ search: '100%' })).toEqual(['ofRif'])
    expect(await worksOf({ search: '%' })).toEqual(['ofRif'])
    expect(await worksOf({ search: 'useful' })).toEqual([])
    expect(await worksOf({ search: atlas.chef.email })).toEqual([])
    expect(await worksOf({ search: '  ' })).toHaveLength(3)
    expect(await worksOf({ search: 'o', sort: 'oldest' })).toEqual(['best', 'ofRif'])
    expect(await worksOf({ search: 'ÉT', sort: 'oldest' })).toEqual(['good', 'best'])
    expect(await worksOf({ search: 'nl' })).toEqual([])
  })
  it('are found by a name shared by more than a thousand teams', async () => {
    await fixture.db.insert(teams).values(
      Array.from({ length: 1001 }, (_, n) => {
        const searchText = `rif 100% ${n}`
        return teamRow({ name: `Rif 100% ${n}`, isActive: false, searchText })
      }),
    )
    try {
      expect(await worksOf({ search: 'rif 100%' })).toEqual(['ofRif'])
    } finally {
      await fixture.sql`delete from teams where name_key like 'rif 100\\% %'`
    }
  })
  it('are searched in three statements, of which two are skipped if nothing is found', async () => {
    const pool = fixture.openDirectPool({ max: 1 })
    await pool.sql`select 1`
    const sent: string[] = []
    Object.assign(pool.sql.options, { debug: (_connection: number, statement: string) => sent.push(statement) })
    const search = (wanted: string, cursor?: string) =>
      findWorks(pool.db, { search: wanted, page: 1, limit: 2, sort: 'newest', cursor }, null)
    expect(await search('nobody')).toEqual({ rows: [], nextCursor: null, total: 0 })
    expect(sent).toHaveLength(1)
    expect((await search('on')).total).toBe(2)
    // Three more: the names with the total, the page, and its rows.
    expect(sent).toHaveLength(1 + 3)
    await expect(search('nobody', 'x')).rejects.toThrow('Not a valid cursor')
    const prepared = await pool.sql<{ statement: string }[]>`select statement from pg_prepared_statements`
    const known = new Set(prepared.map(({ statement }) => statement))
    // Every statement but the one for the rows has a fresh plan.
    expect(sent.slice(0, 4).filter((statement) => known.has(statement))).toEqual(sent.slice(3, 4))
  })
  it('are all found where more names match than have works', async () => {
    const texts = times(1200, (n) => `crowd ${n}`)
    await fixture.db
      .insert(teams)
      .values(texts.map((name) => teamRow({ name, isActive: false, searchText: name.toLowerCase() })))
    const renamed =
      await fixture.sql`update teams set search_text = 'crowd of atlas ' || search_text where id = ${atlas.id} returning 1`
    try {
      expect(renamed).toHaveLength(1)
      for (const search of ['crowd', 'cr']) {
        const { rows, total } = await findWorks(fixture.db, { search, page: 1, limit: 1, sort: 'newest' }, null)
        expect([search, rows.length, total]).toEqual([search, 1, 2])
      }
    } finally {
      await fixture.sql`delete from teams where name_key like 'crowd %'`
      await fixture.sql`update teams set search_text = replace(search_text, 'crowd of atlas ', '') where id = ${atlas.id}`
    }
  })
  it('are counted up to 1,000 without reading all works of many names', async () => {
    const pool = fixture.openDirectPool({ max: 1 })
    await pool.sql`vacuum analyze submissions`
    // The tables of this test are small.
    await pool.sql`set enable_seqscan = off`
    await pool.sql`set enable_bitmapscan = off`
    const plans: string[] = []
    const options = {
      debug: (_connection: number, statement: string, values: unknown[]) =>
        plans.push(JSON.stringify([statement, values])),
    }
    Object.assign(pool.sql.options, options)
    await findWorks(pool.db, { search: 'on', page: 1, limit: 2, sort: 'newest' }, null)
    const [statement, values] = JSON.parse(plans[0] ?? '[]') as [string, never[]]
    const explained = await pool.sql.unsafe(`explain (costs off) ${statement}`, values)
    const plan = explained.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Only Scan using submissions_approved_of_challenge')
    expect(plan).toContain('Index Only Scan using submissions_team_challenge')
    // A loop ends at its limit; these would read all names or works first.
    expect(plan).not.toMatch(/Hash|Merge/)
  })
  it('have pages and a total, with and without a search', async () => {
    for (const search of ['', 'o']) {
      const pages = []
      for (const page of [1, 2, 3]) {
        const { data } = await fixture.as(null).works({ search, page, limit: 2 })
        pages.push([data.submissions.length, data.pagination.total, data.pagination.totalPages])
      }
      const total = pages[0]?.[1] ?? 0
      expect(pages.map(([rows]) => rows).reduce((sum = 0, rows = 0) => sum + rows)).toBe(total)
    }
    const { data } = await fixture.as(null).works({ page: 2, limit: 2 })
    expect(data.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2, nextCursor: null })
    expect(namesOf(data.submissions)).toEqual(['good'])
  })
  it('show the verdict to everyone, but the submitter’s address and the notes only to insiders', async () => {
    const seenBy = async (viewer: Caller | null) => {
      const { data } = await fixture.as(viewer).works({})
      return data.submissions.find(({ id }) => id === works.good)
    }
    for (const outsider of [null, stranger, rif.chef]) {
      const work = await seenBy(outsider)
      expect(work).toMatchObject({ score: 60, points: 60, feedback: 'Good', metadata: { submissionNotes: '' } })
      expect(work?.submittedBy).toEqual({ id: atlas.chef.id, name: atlas.chef.name })
    }
    for (const insider of [member, atlas.chef, fixture.judge]) {
      const work = await seenBy(insider)
      expect(work?.metadata.submissionNotes).toBe('Sign in as guest')
      expect(work?.submittedBy?.email).toBe(atlas.chef.email)
    }
  })
})

describe('one submission', () => {
  it('is public when approved, else for the team’s members and administrators', async () => {
    for (const viewer of [null, stranger, rif.chef]) {
      expect((await fixture.as(viewer).submission({ id: works.good })).data.submission.status).toBe('approved')
      for (const id of [works.waiting, works.rejected])
        expect(await errorCodeOf(fixture.as(viewer).submission({ id }))).toBe('SUBMISSION_MISSING')
    }
    for (const viewer of [member, atlas.chef, fixture.judge])
      for (const id of [works.waiting, works.rejected, works.good])
        expect((await fixture.as(viewer).submission({ id })).data.submission.id).toBe(id)
    expect(await errorCodeOf(fixture.as(fixture.judge).submission({ id: atlas.id }))).toBe('SUBMISSION_MISSING')
  })
  it('is hidden from former members', async () => {
    const leaver = await fixture.createMember()
    const team = await fixture.createTeam({ members: [leaver] })
    const id = await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
    await fixture.as(leaver).submission({ id })
    await fixture.asTeamCaller(leaver).leave({ id: team.id })
    expect(await errorCodeOf(fixture.as(leaver).submission({ id }))).toBe('SUBMISSION_MISSING')
  })
  it('remains when the submitter’s account is deleted', async () => {
    const team = await fixture.createTeam({ members: [await fixture.createMember()] })
    const id = await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
    await fixture.sql`update submissions set submitted_by = null where id = ${id}`
    expect((await fixture.as(fixture.judge).submission({ id })).data.submission.submittedBy).toBeNull()
  })
})

describe('a team’s submissions', () => {
  it('are all shown to its members and administrators, approved ones to others, newest first', async () => {
    for (const insider of [member, atlas.chef, fixture.judge]) {
      const { data } = await fixture.as(insider).ofTeam({ id: atlas.id })
      expect(namesOf(data.submissions)).toEqual(['waiting', 'best', 'good', 'rejected'])
      expect(data.pagination.total).toBe(4)
    }
    for (const outsider of [null, stranger, rif.chef]) {
      const { data } = await fixture.as(outsider).ofTeam({ id: atlas.id, limit: 1 })
      expect(namesOf(data.submissions)).toEqual(['best'])
      expect(data.pagination).toEqual({ page: 1, limit: 1, total: 2, totalPages: 2, nextCursor: expect.any(String) })
    }
  })
  it('are missing for an unknown team', async () => {
    expect(await errorCodeOf(fixture.as(null).ofTeam({ id: challenge.id }))).toBe('TEAM_MISSING')
  })
  it('are listed as the caller’s applications for all their teams', async () => {
    const { data } = await fixture.as(member).applications({})
    expect(namesOf(data.applications)).toEqual(['waiting', 'best', 'good', 'rejected'])
    expect(data.applications[0]?.submittedBy?.email).toBe(atlas.chef.email)
    expect((await fixture.as(stranger).applications({})).data).toMatchObject({
      applications: [],
      pagination: { total: 0 },
    })
  })
  it('can be limited to open challenges, in any number and status', async () => {
    const team = await fixture.createTeam()
    const [over, off, ...open] = await Promise.all(Array.from({ length: 5 }, () => fixture.createChallenge({})))
    if (!over || !off) throw new Error('no challenges')
    const sent: string[] = []
    for (const { id } of [...open, over, off]) sent.push(await fixture.applyWithLink(team, id))
    await fixture.as(fixture.judge).evaluate({ id: sent[0] ?? '', status: 'rejected', feedback: 'No' })
    await fixture.patchChallenge(over.id, { deadline: new Date(Date.now() - 1000) })
    await fixture.patchChallenge(off.id, { isActive: false })
    const chef = fixture.as(team.chef)
    const first = (await chef.applications({ onlyOpen: true, limit: 2 })).data
    expect(first.pagination.total).toBe(3)
    const rest = (await chef.applications({ onlyOpen: true, limit: 2, cursor: first.pagination.nextCursor ?? '' })).data
    expect([...first.applications, ...rest.applications].map(({ id }) => id)).toEqual(sent.slice(0, 3).toReversed())
    expect((await chef.applications({ onlyOpen: false })).data.pagination.total).toBe(5)
  })
})

describe('the administrators’ lists', () => {
  it('sort as requested, without a score last, and continue by cursor', async () => {
    const judge = fixture.as(fixture.judge)
    const known = (rows: { id: string }[]) => namesOf(rows).filter((name) => name !== undefined)
    const oldest = await judge.submissions({ sort: 'oldest', limit: 50 })
    expect(known(oldest.data.submissions)).toEqual(['rejected', 'good', 'best', 'ofRif', 'waiting'])
    const highest = ['best', 'good', 'ofRif', 'rejected', 'waiting']
    const found: { id: string }[] = []
    let next: string | null = null
    do {
      const page: typeof oldest = await judge.submissions({
        sort: 'highest',
        limit: 2,
        ...(next !== null && { cursor: next }),
      })
      found.push(...page.data.submissions)
      next = page.data.pagination.nextCursor
    } while (next !== null)
    expect(known(found)).toEqual(highest)
    expect(found).toHaveLength(oldest.data.pagination.total)
  })

  it('filter by status, team, challenge and name', async () => {
    const list = async (input: object) => namesOf((await fixture.as(fixture.judge).submissions(input)).data.submissions)
    const named = async (input: object) => (await list(input)).filter((name) => name !== undefined)
    expect(await named({ teamId: atlas.id, status: 'approved' })).toEqual(['best', 'good'])
    expect(await list({ challengeId: challenge.id })).toEqual(['good', 'rejected'])
    expect(await list({ search: 'rif' })).toEqual(['ofRif'])
    expect(await list({ teamId: atlas.id, status: 'pending', search: 'souk' })).toEqual(['waiting'])
    expect(await list({ teamId: rif.id, challengeId: challenge.id })).toEqual([])
  })
  it('find a submitter by name', async () => {
    await fixture.sql`update users set search_text = 'zineb' where id = ${rif.chef.id}`
    const { data } = await fixture.as(fixture.judge).submissions({ search: 'Zineb' })
    expect(namesOf(data.submissions)).toEqual(['ofRif'])
  })
  it('of pending ones start with the oldest', async () => {
    const { data } = await fixture.as(fixture.judge).pending({})
    expect(nameOf(data.submissions[0]?.id ?? '')).toBe('waiting')
    expect(data.submissions.every(({ status }) => status === 'pending')).toBe(true)
    const times = data.submissions.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted())
    expect(data.pagination.total).toBe(times.length)
  })
})
