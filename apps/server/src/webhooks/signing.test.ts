import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { createSigningSecret, formerSecrets, signatureHeaders } from './signing.ts'

const message = { id: 'e2f1', timestamp: Math.floor(Date.now() / 1000), body: '{"type":"ping","data":{"ا":"é"}}' }

it('signs so that the library of Standard Webhooks accepts it by either secret', () => {
  const secrets = [createSigningSecret(), createSigningSecret()]
  const headers = signatureHeaders(message, secrets)
  for (const secret of secrets)
    expect(new Webhook(secret).verify(message.body, headers)).toMatchObject({ type: 'ping' })
})

it('signs the id, the time and the body', () => {
  const secret = createSigningSecret()
  const headers = signatureHeaders(message, [secret])
  const verify = (body: string, changes: object) => () => new Webhook(secret).verify(body, { ...headers, ...changes })
  expect(verify(`${message.body} `, {})).toThrow()
  expect(verify(message.body, { 'webhook-id': 'other' })).toThrow()
  expect(verify(message.body, { 'webhook-timestamp': String(message.timestamp + 1) })).toThrow()
  expect(() => new Webhook(createSigningSecret()).verify(message.body, headers)).toThrow()
})

it('takes no secret for former that was replaced more than a day ago', () => {
  const [past, soon] = [new Date(Date.now() - 1000), new Date(Date.now() + 60_000)]
  const older = [
    { secret: 'b', until: soon.toISOString() },
    { secret: 'c', until: past.toISOString() },
  ]
  const secretsOf = (webhook: Parameters<typeof formerSecrets>[0]) => formerSecrets(webhook).map(({ secret }) => secret)
  expect(secretsOf({ previousSecret: 'a', previousSecretUntil: soon, olderSecrets: older })).toEqual(['a', 'b'])
  expect(secretsOf({ previousSecret: 'a', previousSecretUntil: past, olderSecrets: null })).toEqual([])
  expect(secretsOf({ previousSecret: null, previousSecretUntil: null, olderSecrets: null })).toEqual([])
})
