import { auditLog } from '@community/db/schema'
import { inTransaction } from '@community/db'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { openFixture } from '../../test/fixture.ts'
import { audit } from './audit.ts'

const fixture = await openFixture()
afterAll(() => fixture.close())

const password = 'checked before the use case'

describe('the settings', () => {
  it('switch team creation off and on with an audit entry each', async () => {
    const admin = await fixture.createAdmin()
    expect((await fixture.as(admin).settings()).data.settings).toEqual({ teamCreationEnabled: true })
    for (const enabled of [false, true]) {
      const { data, message } = await fixture.as(admin).setTeamCreation({ enabled, password })
      expect([data.settings.teamCreationEnabled, message]).toEqual([
        enabled,
        `Team creation ${enabled ? 'enabled' : 'disabled'} successfully`,
      ])
      expect((await fixture.as(admin).settings()).data.settings).toEqual({ teamCreationEnabled: enabled })
    }
    const entries = await fixture.db.query.auditLog.findMany({ where: eq(auditLog.actorId, admin.id) })
    expect(entries.map(({ details }) => details)).toEqual([
      { before: true, after: false },
      { before: false, after: true },
    ])
    expect(entries[0]).toMatchObject({
      actorName: admin.name,
      action: 'admin.setTeamCreation',
      targetType: 'settings',
      targetId: null,
      result: 'done',
      address: '127.0.0.1',
    })
    expect(entries[0]?.requestId).toBeTruthy()
    expect(JSON.stringify(entries)).not.toContain(password)
  })

  it('record consecutive values when two administrators set them concurrently', async () => {
    const [first, second] = [await fixture.createAdmin(), await fixture.createAdmin()]
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        fixture.as(at % 2 ? first : second).setTeamCreation({ enabled: at % 3 === 0, password }),
      ),
    )
    const entries = await fixture.db.query.auditLog.findMany({ orderBy: (t, { asc }) => asc(t.id) })
    for (const [at, entry] of entries.entries())
      if (at > 0) expect(entry.details.before).toBe(entries[at - 1]?.details.after)
  })

  it('leave no audit entry after a rollback', async () => {
    const admin = await fixture.createAdmin()
    const failing = inTransaction(fixture.db, async (tx) => {
      await audit(tx, fixture.contextOf(admin), { action: 'test.rolledBack' })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await fixture.db.query.auditLog.findMany({ where: eq(auditLog.actorId, admin.id) })).toEqual([])
  })
})
