import { afterAll, describe, expect, it } from 'vitest'
import { restTransport, trpcTransport } from './permissions-transports.ts'
import { openPermissionFixture } from './permissions-fixture.ts'
import { type Field, isWrite, nameOf, callWithValue, TEXT_FIELDS } from './security-fields.ts'

const fixture = await openPermissionFixture()
const transports = { REST: restTransport(fixture.server), tRPC: trpcTransport(fixture.server) }
afterAll(() => fixture.close())

const LINK_NAMES = ['github', 'instagram', 'portfolio', 'content', 'url']
/** URL fields, by their name or their example. */
const isLink = ({ path, schema }: Field): boolean =>
  LINK_NAMES.includes(path.at(-1) ?? '') || (typeof schema.example === 'string' && /^https?:/.test(schema.example))
const LINKS = TEXT_FIELDS.filter((field) => isWrite(field) && isLink(field))

const DANGEROUS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//https://github.com/',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' \u2028javascript:alert(1)',
  'javascript://github.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://github.com/1',
  'view-source:https://github.com/',
  'intent://github.com/#Intent;end',
  'ftp://github.com/',
  '//evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://x@evil.example',
  'https://github.com:pass@evil.example/',
  'https://evil.example/\u0000',
  'https://evil.example/\r\nSet-Cookie: a=1',
  'https://evil.example/\u202egpj.exe',
  'https://evil.example\\@github.com/',
  'https://',
  'http://[::1',
  `https://evil.example/${'x'.repeat(2048)}`,
]

describe('a link', () => {
  it('is found in these procedures', () =>
    expect(new Set(LINKS.map(({ call }) => call))).toEqual(
      new Set([
        'users.update',
        'users.updateProfile',
        'teams.create',
        'teams.join',
        'challenges.applyTo',
        'challenges.submit',
        'admin.createChallenge',
        'admin.updateChallenge',
        'webhooks.create',
        'webhooks.update',
      ]),
    ))

  it.each(LINKS.map((field) => [nameOf(field), field] as const))(
    'with a dangerous URL is rejected over both transports: %s',
    async (_name, field) => {
      for (const [name, transport] of Object.entries(transports))
        await Promise.all(
          DANGEROUS.map(async (link) => {
            const { status, code, errors } = await callWithValue(fixture, transport, field, link)
            expect([name, link, status, code]).toEqual([name, link, 400, 'VALIDATION'])
            expect(errors?.map(({ path }) => path)).toContain(field.path.join('.'))
          }),
        )
      expect(await fixture.database.changedTables()).toEqual([])
    },
  )

  it.each(LINKS.map((field) => [nameOf(field), field] as const))(
    'with a valid URL is stored normalised: %s',
    async (_name, field) => {
      const { status } = await callWithValue(fixture, transports.REST, field, 'HTTPS://GitHub.com/Atlas/../Lions?q=é')
      expect(status).toBeLessThan(300)
      const [row] = await fixture.server.sql<{ all: string }[]>`
        select concat((select string_agg(u::text, '') from users u), (select string_agg(m::text, '') from team_members m),
          (select string_agg(w::text, '') from submissions w), (select string_agg(c::text, '') from challenges c),
          (select string_agg(h::text, '') from webhooks h)) as all`
      expect(row?.all).toContain('https://github.com/Lions?q=%C3%A9')
      expect(row?.all).not.toContain('GitHub.com/Atlas/..')
      await fixture.database.restore(await fixture.database.changedTables())
    },
  )
})
