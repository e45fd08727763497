import { contract, routesOf } from '@community/contract'
import { PASSWORD, validInput } from '@community/testing'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, fromAddress, countOutcomes, times } from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'

let admin: TestUser
const server = await openTestServer(TRUST_FORWARDED_FOR)
beforeEach(async () => {
  admin = await server.createAdmin()
})
afterAll(() => server.close())

const form = (password: unknown) => ({ ...validInput('admin.createChallenge'), password })
const create = (password: unknown, index = 0) =>
  server.rest(admin)('POST /admin/challenges', form(password), fromAddress(`10.0.0.${index % 200}`))
const findAuditEntries = (result: string) =>
  server.sql`select action, actor_name, target_id, address, result, details, request_id from audit_log
    where actor_id = ${admin.id} and action = 'admin.confirmPassword' and result = ${result} order by id`
const findLockoutEntries = () => findAuditEntries('ADMIN_PASSWORD_LOCKED')
const countChallenges = async () => Number((await server.sql`select count(*) from challenges`)[0]?.count)

describe('confirmAdminPassword', () => {
  it('verifies the caller’s password before any effect', async () => {
    const before = await countChallenges()
    const errors = [{ path: 'password' }]
    expect((await create('Zellige-2027')).body).toMatchObject({ code: 'WRONG_PASSWORD', invalid: true, errors })
    expect((await create('Zellige-2027')).status).toBe(403)
    expect(await countChallenges()).toBe(before)
    expect((await create(PASSWORD)).status).toBe(201)
    expect(await countChallenges()).toBe(before + 1)
  })

  it.each([
    [undefined, 'PASSWORD_REQUIRED'],
    ['', 'PASSWORD_REQUIRED'],
    ['   ', 'PASSWORD_REQUIRED'],
    [[PASSWORD], 'VALIDATION'],
    [{ a: 1 }, 'VALIDATION'],
    [null, 'VALIDATION'],
  ])('answers 400 for %j without counting an attempt', async (password, code) => {
    for (const index of times(8, (each) => each)) {
      const { status, body } = await create(password, index)
      expect([status, body.code]).toEqual([400, code])
      expect(body.errors).toMatchObject([{ path: 'password', msg: 'Password is required' }])
    }
    expect((await create(PASSWORD)).status).toBe(201)
  })

  it('rejects another administrator’s password', async () => {
    const other = await server.createAdmin()
    await server.sql`update users set password_hash = ${await server.deps.passwords.hash('Riad-2026x')} where id = ${other.id}`
    expect((await create('Riad-2026x')).body.code).toBe('WRONG_PASSWORD')
  })

  it('verifies five of fifty concurrent wrong passwords, then rejects the correct one with a cooldown', async () => {
    const { passwords } = server.deps
    let comparisons = 0
    server.deps.passwords = {
      ...passwords,
      verify: (hash, password) => {
        comparisons++
        return passwords.verify(hash, password)
      },
    }
    expect(await countOutcomes(times(50, (index) => create('Zellige-2027', index)))).toEqual({
      '403 WRONG_PASSWORD': 5,
      '429 ADMIN_PASSWORD_LOCKED': 45,
    })
    expect(comparisons).toBe(5)
    const locked = await create(PASSWORD)
    expect(locked).toMatchObject({ status: 429, body: { code: 'ADMIN_PASSWORD_LOCKED' } })
    expect(locked.body.cooldown).toBeGreaterThan(890)
    expect(locked.body.cooldown).toBeLessThanOrEqual(900)
    expect(comparisons).toBe(5)

    await server.clock.resetLimits({ key: `admin-password:${admin.id}` })
    expect((await create(PASSWORD)).status).toBe(201)
    server.deps.passwords = passwords
  })

  it('writes one audit entry per lockout', async () => {
    await Promise.all(times(5, (index) => create('Zellige-2027', index)))
    expect(await findLockoutEntries()).toHaveLength(0)
    await countOutcomes(times(30, (index) => create('Zellige-2027', index)))
    await create(PASSWORD)
    expect(await findLockoutEntries()).toMatchObject([
      { actor_name: admin.name, target_id: admin.id, result: 'ADMIN_PASSWORD_LOCKED', details: {} },
    ])
    expect(JSON.stringify(await findLockoutEntries())).not.toContain('Zellige')

    await server.clock.resetLimits({ key: `admin-password:${admin.id}` })
    expect((await create(PASSWORD)).status).toBe(201)
    await countOutcomes(times(20, (index) => create('Zellige-2027', index)))
    await create(PASSWORD)
    expect(await findLockoutEntries()).toHaveLength(2)
  })

  it('writes an audit entry per wrong password, none for a correct one', async () => {
    await create(PASSWORD)
    await countOutcomes(times(30, (index) => create('Zellige-2027', index)))
    await create(PASSWORD)
    const wrong = await findAuditEntries('WRONG_PASSWORD')
    expect(wrong).toHaveLength(5)
    expect(wrong[0]).toMatchObject({
      actor_name: admin.name,
      target_id: admin.id,
      address: expect.stringMatching(/^10\.0\.0\./),
      details: {},
      request_id: expect.any(String),
    })
    expect(JSON.stringify(wrong)).not.toContain('Zellige')
  })

  it('accepts twenty concurrent correct passwords', async () => {
    expect(await countOutcomes(times(20, (index) => create(PASSWORD, index)))).toEqual({ 201: 20 })
  })

  it('counts wrong passwords over all procedures and both transports', async () => {
    const settings = (password: string) => server.trpc(admin, 'admin.setTeamCreation', { enabled: true, password })
    for (const index of times(3, (each) => each)) await create('Zellige-2027', index)
    expect(await settings('Zellige-2027')).toMatchObject({ status: 403, failure: { code: 'WRONG_PASSWORD' } })
    expect(await settings('Zellige-2027')).toMatchObject({ status: 403 })
    expect(await settings(PASSWORD)).toMatchObject({ status: 429, failure: { code: 'ADMIN_PASSWORD_LOCKED' } })
    expect((await create(PASSWORD)).status).toBe(429)
  })
})

it('reads the admin password from the body in every procedure', () => {
  const confirmed = routesOf(contract).filter(([, route]) => route.requiresAdminPassword)
  expect(confirmed.length).toBeGreaterThan(1)
  for (const [name, route] of confirmed) expect([name, route.method]).not.toEqual([name, 'GET'])
})
