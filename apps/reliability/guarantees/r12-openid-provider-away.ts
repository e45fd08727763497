import { requestOf, fromNewAddress } from '@community/testing/api-client'
import { type OpenIdProvider, openOpenIdProvider } from '@community/testing/openid-provider'
import { ADMIN } from '@community/testing/server'
import { type Guarantee, inMs } from '../guarantee.ts'
import { type ExternalSignIn, signInExternally } from '../harness/external-sign-in.ts'

/** Milliseconds: the return from the provider, and a concurrent sign-in with a password. */
const LIMITS = { browser: 5000, password: 3000 }

const FAULTS: [name: string, set: (provider: OpenIdProvider, isOn: boolean) => unknown][] = [
  ['is down', (provider, isOn) => (isOn ? provider.close() : provider.open())],
  ['fails', (provider, isOn) => (provider.isFailing = isOn)],
  ['signs with other keys', (provider, isOn) => (provider.usesUnpublishedKey = isOn)],
  ['is ten minutes behind', (provider, isOn) => (provider.clockSkewSeconds = isOn ? -600 : 0)],
  ['is slow', (provider, isOn) => (provider.delay = isOn ? 20_000 : 0)],
]

export const guarantee: Guarantee = {
  id: 'R12',
  statement:
    'An OpenID provider that is down, slow, wrong or late signs nobody in, is reported in time and does not affect password sign-ins',
  async run({ byTier, expect, expectWithin, onFinished, openFixture }) {
    const rounds = byTier({ short: 1, full: 5, long: 20 })
    const provider = await openOpenIdProvider()
    onFinished(() => provider.close())
    const fixture = await openFixture({ settings: provider.settings })
    const { client, mail, sql } = fixture
    let slowestEnd = 0
    const countSessions = async () => (await sql`select 1 from sessions`).length
    const countUsers = async (email: string) => (await sql`select 1 from users where email = ${email}`).length
    const expectSuccess = async (when: string) => {
      const { end, email } = await signInExternally(fixture, provider)
      expect(end.startsWith('/auth/google-otp'), `${when}: a sign-in ends at ${end}`)
      await mail.codeFor(email)
    }
    const expectFailure = async (name: string, signIn: Promise<ExternalSignIn>) => {
      const before = await countSessions()
      const signInByPassword = client.call(fromNewAddress(requestOf('auth.login', { email: ADMIN.email })))
      const { end, slowest, email } = await signIn
      const { status, took } = await signInByPassword
      slowestEnd = Math.max(slowestEnd, slowest)
      expect(end === '/#external-sign-in-failed', `${name}: a sign-in ends at ${end}`)
      expectWithin(LIMITS.browser, slowest, `${name}: the browser`)
      expect(status === 200, `${name}: by password ${status}`)
      expectWithin(LIMITS.password, took, `${name}: by password it`)
      expect((await countSessions()) === before + 1, `${name}: sessions other than that by password`)
      expect((await countUsers(email)) === 0, `${name}: an account was created`)
      expect(mail.mailsTo(email).length === 0, `${name}: a code was mailed`)
    }

    // The provider's endpoints are not discovered yet.
    provider.isFailing = true
    await expectFailure('unknown and failing', signInExternally(fixture, provider))
    provider.isFailing = false
    await expectSuccess('at first')
    for (let round = 0; round < rounds; round++)
      for (const [name, set] of FAULTS) {
        const signIn = signInExternally(fixture, provider, () => set(provider, true))
        await expectFailure(name, signIn)
        await set(provider, false)
        await expectSuccess(`after it ${name}`)
      }
    return { rounds, 'slowest failure': inMs(slowestEnd) }
  },
}
