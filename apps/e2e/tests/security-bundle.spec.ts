import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'

const fromHere = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const WEB = fromHere('../../web/dist')

const SECRETS: [name: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['a key of Amazon', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a key of Google', /\bAIza[0-9A-Za-z_-]{35}\b|GOCSPX-/],
  ['a token of a hub', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|npm_[A-Za-z0-9]{36}|xox[abp]-)/],
  ['an address with a password', /\b(?:postgres|postgresql|smtp|smtps|https?|redis):\/\/[^\s/"'`:@]+:[^\s/"'`@]+@/],
  ['the first administrator of a development machine', /Zellige-2026|admin@community\.local/],
  ['the administrator of these tests', new RegExp(ADMIN.password)],
  ['a source map', /\/\/# sourceMappingURL=/],
]

test('the built page holds no secret, no setting of the server and none of its code', () => {
  const settings = [
    ...readFileSync(fromHere('../../../.env.example'), 'utf8').matchAll(/^#?\s*([A-Z][A-Z0-9_]{3,})=/gm),
  ]
    .map(([, name]) => name ?? '')
    // Words that the page may contain for other reasons.
    .filter((name) => !['HOST', 'PORT'].includes(name))
  expect(settings).toEqual(expect.arrayContaining(['APP_SECRET', 'DATABASE_URL', 'S3_SECRET_ACCESS_KEY', 'SMTP_URL']))
  const settingName = new RegExp(`\\b(?:${settings.join('|')})\\b`)
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js|css|html|json|map|txt|webmanifest)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([])
  for (const name of files) {
    const text = readFileSync(path.join(WEB, name), 'utf8')
    for (const [secret, pattern] of SECRETS)
      expect([name, secret, pattern.exec(text)?.[0]]).toEqual([name, secret, undefined])
    expect([name, settingName.exec(text)?.[0]]).toEqual([name, undefined])
    expect([name, /\bfastify\b|drizzle-orm|node:fs|argon2/.exec(text)?.[0]]).toEqual([name, undefined])
  }
})
