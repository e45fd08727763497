import { brotliDecompressSync } from 'node:zlib'
import { Password } from '@community/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANY_ADDRESS, candidate, from, mailsTo, newEmail } from '../../test/accounts.ts'
import { openWorld, type World } from '../../test/world.ts'
import { COMMON_PASSWORDS } from './common-passwords.gen.ts'
import { isCommonPassword } from './common-passwords.ts'

const listed = brotliDecompressSync(Buffer.from(COMMON_PASSWORDS, 'base64')).toString().split('\n')

describe('the list of common passwords', () => {
  it('has more than ten thousand that a capital lets through the rules', () => {
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.filter((password) => password !== password.toLowerCase())).toEqual([])
    const withCapital = listed.map((password) => password.replace(/[a-z]/, (letter) => letter.toUpperCase()))
    expect(withCapital.filter((password) => Password.safeParse(password).success).length).toBeGreaterThan(10_000)
  })

  it.each([
    'Password1',
    'Passw0rd',
    'P@ssw0rd',
    'Qwerty123',
    'Azerty123',
    'Welcome1',
    'Abc123',
    'Aa123456',
    'Trustno1',
  ])('holds %s, in whatever capitals', (password) => {
    const loud = password.toUpperCase()
    for (const typed of [password, loud, password.toLowerCase(), `${loud.slice(0, -2)}${password.slice(-2)}`])
      expect([typed, isCommonPassword(typed)]).toEqual([typed, true])
  })

  it.each([
    'Zellige-2026',
    'Password1 ',
    ' Password1',
    'Passwórd1',
    'Tagine-au-citron-9',
    '',
    'constructor',
    '__proto__',
  ])('does not hold %j', (password) => expect(isCommonPassword(password)).toBe(false))
})

describe('a common password', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(ANY_ADDRESS)
  })
  afterAll(() => world.close())

  const refused = (path: string) => ({
    status: 400,
    body: {
      code: 'PASSWORD_TOO_COMMON',
      errors: [{ path, msg: 'This password is one of the most common ones. Please choose another.' }],
    },
  })

  it('is refused where one registers, before anything is mailed or counted', async () => {
    const who = { ...candidate(), password: 'Qwerty123' }
    const answer = await world.rest()(
      'POST /auth/register',
      { ...who, confirmPassword: who.password },
      from('10.1.1.1'),
    )
    expect(answer).toMatchObject(refused('password'))
    const verified = await world.rest()(
      'POST /auth/verify-registration-otp',
      { ...who, otp: '000000' },
      from('10.1.1.1'),
    )
    expect(verified).toMatchObject(refused('password'))
    expect(await mailsTo(world, who.email)).toEqual([])
    expect(await world.sql`select key from rate_limits where key like '%10.1.1.1%'`).toEqual([])
  })

  it('is refused where one is set, before the code or the current password is looked at', async () => {
    const member = await world.member()
    const change = { currentPassword: 'Wrong-2026', newPassword: 'Qwerty123' }
    expect(await world.rest(member)('POST /auth/change-password', change)).toMatchObject(refused('newPassword'))
    const reset = { email: newEmail(), otp: '000000', password: 'Qwerty123', confirmPassword: 'Qwerty123' }
    expect(await world.rest()('POST /auth/reset-password', reset)).toMatchObject(refused('password'))
    const wrong = await world.sql`select key from rate_limits where key like 'sign-in:%' or key like 'wrong:%'`
    expect(wrong).toEqual([])
    expect(await world.trpc(member, 'auth.changePassword', change)).toMatchObject({
      status: 400,
      failure: { code: 'PASSWORD_TOO_COMMON', errors: [{ path: 'newPassword' }] },
    })
  })
})
