import { type Journey, signInThrough } from '../harness/external-sign-in.ts'
import { openOpenIdProvider, type OpenIdProvider } from '@community/testing/openid-provider'
import { ADMIN } from '@community/testing/server'
import { atNewAddress } from '../harness/sign-in.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

/** Milliseconds a browser waits on its way back. */
const WITHIN = 5000

const TROUBLES: [name: string, change: (provider: OpenIdProvider, isOn: boolean) => void][] = [
  ['fails', (provider, isOn) => (provider.fails = isOn)],
  ['signs with other keys', (provider, isOn) => (provider.signsWrongly = isOn)],
  ['is ten minutes behind', (provider, isOn) => (provider.clockOff = isOn ? -600 : 0)],
  ['is slow', (provider, isOn) => (provider.delay = isOn ? 20_000 : 0)],
]

const FRIENDLY = '/#external-sign-in-failed'

export const guarantee: Guarantee = {
  id: 'R12',
  statement: 'A provider that is away, slow, wrong or late lets nobody in, says so in time, and leaves passwords alone',
  async run(context) {
    const { violations } = context
    const rounds = byTier(context, { short: 1, full: 5, long: 20 })
    const provider = await openOpenIdProvider()
    const figures: Record<string, string> = {}
    context.after(() => provider.close())
    const fixture = await context.open({ settings: provider.settings })
    const { client } = fixture
    const sessions = async () => (await fixture.sql`select 1 from sessions`).length
    const expectWell = async (when: string) => {
      const { end, email } = await signInThrough(fixture, provider)
      if (!end.startsWith('/auth/google-otp')) violations.push(`${when}: a sign-in ends at ${end}`)
      else await fixture.mail.codeFor(email)
    }
    const fail = async (name: string, journey: Promise<Journey>) => {
      const before = await sessions()
      const password = client.call('POST /auth/login', {
        body: { email: ADMIN.email, password: ADMIN.password },
        headers: atNewAddress(),
      })
      const { end, slowest, email } = await journey
      const { status, took } = await password
      figures[name] =
        `ends at ${end} after ${Math.round(slowest)} ms; by password ${status} after ${Math.round(took)} ms`
      if (end !== FRIENDLY) violations.push(`${name}: a sign-in ends at ${end}`)
      if (slowest > timeLimit(context, WITHIN)) violations.push(`${name}: the browser waited ${Math.round(slowest)} ms`)
      if (status !== 200 || took > timeLimit(context, 3000))
        violations.push(`${name}: by password ${status} after ${Math.round(took)} ms`)
      if ((await sessions()) > before + 1) violations.push(`${name}: somebody got a session`)
      if (fixture.mail.mailsTo(email).length > 0) violations.push(`${name}: a code was mailed`)
    }

    // Not even its addresses are known yet.
    provider.fails = true
    await fail('unknown and failing', signInThrough(fixture, provider))
    provider.fails = false
    await expectWell('at first')
    for (let round = 0; round < rounds; round++)
      for (const [name, change] of TROUBLES) {
        await fail(
          name,
          signInThrough(fixture, provider, () => change(provider, true)),
        )
        change(provider, false)
        await expectWell(`after it ${name}`)
      }
    return figures
  },
}
