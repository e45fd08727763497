import { type Language, LANGUAGES, PAGES, type PageName } from '@community/contract'
import { inTransaction } from '@community/db'
import { auditLog } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { openFixture } from '../../test/fixture.ts'
import { setPage } from '../admin/set-page.ts'
import { RETENTION_DAYS } from '../jobs/retention.ts'
import { getPage } from './get-page.ts'
import { updatePage } from './commands.ts'

const fixture = await openFixture()
afterAll(() => fixture.close())

async function read(page: PageName, language: Language) {
  const visitor = { ...fixture.contextOf(await fixture.createMember()), user: null }
  return (await getPage(visitor, { page, language })).page
}

describe('the public pages', () => {
  it.each(PAGES.flatMap((page) => LANGUAGES.map((language) => [page, language] as const)))(
    'have a default text: %s, %s',
    async (page, language) => {
      const { markdown, isDefault } = await read(page, language)
      expect(isDefault).toBe(true)
      expect(markdown).toMatch(/^# .+\n/)
      expect(markdown).toContain({ en: 'the community', fr: 'la communauté', ar: 'المجتمع' }[language])
      expect(markdown).not.toContain('Community')
      expect(markdown).not.toMatch(/undefined|NaN|\[object/)
      const figures = [RETENTION_DAYS.knownDevices, RETENTION_DAYS.jobs, 24, 90]
      if (page === 'privacy') for (const figure of figures) expect(markdown).toMatch(new RegExp(`\\b${figure}\\b`))
    },
  )

  it.each(PAGES)('have narrow no-break spaces around French punctuation: %s', async (page) => {
    expect((await read(page, 'fr')).markdown).not.toMatch(/(^|[^\u202f])([:;!?](?=\s|$)|»)|«(?!\u202f)/m)
  })

  it('name the same data in every language', async () => {
    const pages = await Promise.all(LANGUAGES.map((language) => read('privacy', language)))
    const rowCounts = pages.map(({ markdown }) => markdown.match(/^\|/gm)?.length)
    expect(new Set(rowCounts).size).toBe(1)
  })

  it('show the administrators’ text in its language, and the default again once it is emptied', async () => {
    const admin = await fixture.createAdmin()
    const write = (markdown: string, language: 'en' | 'fr' = 'fr') =>
      setPage(fixture.contextOf(admin), { page: 'terms', language, markdown, password: 'checked before' })
    await write('# Chez nous')
    await write('# Ours', 'en')
    expect(await read('terms', 'fr')).toEqual({ markdown: '# Chez nous', isDefault: false })
    expect(await read('terms', 'en')).toEqual({ markdown: '# Ours', isDefault: false })
    expect((await read('terms', 'ar')).isDefault).toBe(true)
    expect((await read('privacy', 'fr')).isDefault).toBe(true)
    await write('')
    expect((await read('terms', 'fr')).isDefault).toBe(true)
    expect((await read('terms', 'en')).isDefault).toBe(false)
    const entries = await fixture.db.query.auditLog.findMany({ where: eq(auditLog.actorId, admin.id) })
    expect(entries.map(({ details }) => details)).toEqual([
      { name: 'terms', language: 'fr', characters: 11 },
      { name: 'terms', language: 'en', characters: 6 },
      { name: 'terms', language: 'fr', characters: 0 },
    ])
  })

  it('keep both texts of two administrators who write at once', async () => {
    const admin = await fixture.createAdmin()
    const findLockWaits = () => fixture.sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    let second: Promise<unknown> | undefined
    // The second write starts before the first commits, and must see its result.
    await inTransaction(fixture.db, async (tx) => {
      await updatePage(tx, 'privacy', 'ar', '# privacy')
      const terms = { page: 'terms', language: 'ar', markdown: '# terms', password: 'checked before' } as const
      second = setPage(fixture.contextOf(admin), terms)
      await expect.poll(findLockWaits).toHaveLength(1)
    })
    await second
    expect([(await read('privacy', 'ar')).markdown, (await read('terms', 'ar')).markdown]).toEqual([
      '# privacy',
      '# terms',
    ])
  })
})
