import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSecret } from './secret.ts'

const key = randomBytes(32)
const secret = createSecret(key)

it('hashes by purpose and parts, deterministically for one secret', () => {
  const hash = secret.hmac('code', 'reset', 'a@example.ma', '123456')
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(createSecret(key).hmac('code', 'reset', 'a@example.ma', '123456')).toBe(hash)
  expect(secret.hmac('other', 'reset', 'a@example.ma', '123456')).not.toBe(hash)
  expect(secret.hmac('code', 'resea', '@example.ma', '123456')).not.toBe(
    secret.hmac('code', 'rese', 'a@example.ma', '123456'),
  )
  expect(createSecret(randomBytes(32)).hmac('code', 'reset', 'a@example.ma', '123456')).not.toBe(hash)
})

it('unseals what it sealed, with a different ciphertext each time', () => {
  const text = 'الرمز 042137'
  expect(secret.unseal(secret.seal(text))).toBe(text)
  expect(secret.seal(text)).not.toBe(secret.seal(text))
  expect(Buffer.from(secret.seal(text), 'base64url').includes('042137')).toBe(false)
})

it('rejects modified or truncated texts and those sealed with another secret', () => {
  const sealed = Buffer.from(secret.seal('{"code":"042137"}'), 'base64url')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => secret.unseal(changed.toString('base64url'))).toThrow()
  }
  for (let length = 0; length < sealed.length; length++)
    expect(() => secret.unseal(sealed.subarray(0, length).toString('base64url'))).toThrow()
  expect(() => createSecret(randomBytes(32)).unseal(sealed.toString('base64url'))).toThrow()
})
