import { afterAll, describe, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'

const server = await openTestServer()
afterAll(() => server.close())

describe('the caller’s account', () => {
  it('is returned without the password hash to signed-in users only', async () => {
    const member = await server.createMember()
    expect((await server.rest()('GET /users/profile')).body.code).toBe('NOT_SIGNED_IN')
    const { body } = await server.rest(member)('GET /users/profile')
    expect(body.data.user).toMatchObject({ id: member.id, _id: member.id, email: member.email, signInOtp: false })
    expect(JSON.stringify(body)).not.toContain('argon2')
  })

  it('changes the given fields only', async () => {
    const member = await server.createMember('Sara El Amrani')
    const change = async (input: object) => (await server.rest(member)('PUT /users/profile', input)).body.data.user
    const first = await change({
      name: '  سارة   العمراني ',
      phone: '06 12 34 56 78',
      github: 'https://github.com/sara',
      portfolio: 'https://sara.example',
      bio: 'I build maps.',
      experience: 'Advanced',
      language: 'ar',
    })
    expect(first).toMatchObject({
      name: 'سارة العمراني',
      phone: '0612345678',
      github: 'https://github.com/sara',
      instagram: null,
      portfolio: 'https://sara.example/',
      experience: 'Advanced',
      language: 'ar',
    })
    const second = await change({ github: '', phone: '', experience: '' })
    expect(second).toEqual({ ...first, github: null, phone: null, experience: null })
    expect(await change({})).toEqual(second)
    const [row] = await server.sql`select search_text from users where id = ${member.id}`
    expect(row?.search_text).toContain('العمراني')
  })

  it.each([
    [{ email: 'other@example.ma' }, 'email'],
    [{ role: 'admin' }, 'role'],
    [{ isBanned: false }, 'isBanned'],
    [{ warnings: 0 }, 'warnings'],
    [{ id: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' }, 'id'],
    [{ passwordHash: 'x' }, 'passwordHash'],
    [{ avatarUrl: 'https://evil.example/a.png' }, 'avatarUrl'],
    [{ github: 'javascript:alert(1)' }, 'github'],
    [{ portfolio: 'https://me@evil.example' }, 'portfolio'],
    [{ phone: '0412345678' }, 'phone'],
    [{ name: 'x' }, 'name'],
    [{ language: 'de' }, 'language'],
  ])('rejects %j and changes nothing', async (invalidField, path) => {
    const member = await server.createMember()
    const { status, body } = await server.rest(member)('PUT /users/profile', { bio: 'changed', ...invalidField })
    expect(status).toBe(400)
    expect(body.errors?.map((error) => error.path)).toContain(path)
    expect((await server.rest(member)('GET /users/profile')).body.data.user.bio).toBeNull()
  })

  it('answers 401 for a token whose account was deleted', async () => {
    const member = await server.createMember()
    await server.sql`delete from users where id = ${member.id}`
    expect((await server.rest(member)('GET /users/profile')).status).toBe(401)
    expect((await server.rest()('POST /auth/refresh', { refreshToken: member.refreshToken })).status).toBe(401)
  })
})
