import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import product from '../../../package.json' with { type: 'json' }
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { findBreakingChanges } from './openapi-breaking-changes.ts'
import {
  assertNewVersion,
  forClients,
  isAnnounced,
  hasHistory,
  isWrittenByRelease,
  readReleased,
  release,
  unreleasedEntries,
} from './openapi-release.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'

const CHANGELOG = new URL('../../../CHANGELOG.md', import.meta.url)

const current = forClients(openApiDocument(DOCUMENT_SETTINGS))

describe('the document and the last released one', () => {
  it('names every breaking change in the changelog; RELEASE_OPENAPI=1 releases the document', async () => {
    if (process.env['RELEASE_OPENAPI']) await release(current)
    const announced = unreleasedEntries(await readFile(CHANGELOG, 'utf8'))
    const unannounced = findBreakingChanges(await readReleased(), current).filter(
      (change) => !isAnnounced(change, announced),
    )
    expect(unannounced).toEqual([])
  })

  it.runIf(hasHistory())('changes the released document with a new version only', () =>
    expect(isWrittenByRelease(product.version)).toBe(true),
  )

  it('rejects the release of a version that is not newer', async () => {
    const released = await readReleased()
    for (const version of [released.info.version, '0.0.9'])
      expect(() => assertNewVersion(released, { info: { version } })).toThrow(`${released.info.version} is released`)
    expect(() => assertNewVersion(released, { info: { version: '99.0.0' } })).not.toThrow()
    expect(await readFile(CHANGELOG, 'utf8')).toContain(`\n## ${released.info.version}\n`)
  })

  it.each([
    ['POST /teams body.motto is required', '- `motto` of `POST /teams` is required.', true],
    ['POST /teams body.motto is required', '- `POST /teams` has another name.', false],
    ['POST /teams body.motto is required', '- `motto` of `GET /teams` is required.', false],
    ['GET /teams 200.data.teams[].name is gone', '- `GET /teams` no longer has `name`.', true],
    ['GET /teams query page is gone', '- `GET /teams` takes no `page`.', true],
    ['GET /teams is gone', '- Removed `GET /teams`.', true],
    ['GET /teams is gone', '- `GET /teams` takes no `page`.', false],
    ['GET /teams needs a token', '- `GET /teams` needs a token.', true],
    ['GET /teams has no 404', '- `GET /teams` answers 410, not 404.', true],
  ])('for %s, the changelog entry “%s” is sufficient: %s', (change, entry, expected) => {
    expect(isAnnounced(change, `Unreleased\n\n### Changed\n\n${entry}\n`)).toBe(expected)
    expect(isAnnounced(change, `Unreleased\n\n### Added\n\n${entry}\n`)).toBe(false)
  })

  it('reads only unreleased entries of the changelog', () => {
    expect(unreleasedEntries('# Log\n\n## Unreleased\n\n- One.\n\n## 0.1.0\n\n- Two.\n')).not.toContain('Two')
    expect(unreleasedEntries('# Log\n\n## 0.1.0\n\n- Two.\n')).toBe('')
  })

  it('has the product’s version, which the changelog names', async () => {
    expect(openApiDocument(DOCUMENT_SETTINGS)).toMatchObject({ info: { version: product.version } })
    expect(await readFile(CHANGELOG, 'utf8')).toContain(`## ${product.version}`)
  })
})

describe('findBreakingChanges', () => {
  const changed = (change: (document: any) => void): string[] => {
    const copy = structuredClone(current)
    change(copy)
    return findBreakingChanges(current, copy)
  }
  const bodyOf = (document: any) => document.paths['/teams'].post.requestBody.content['application/json'].schema

  const jsonOf = (operation: any, status: number) => operation.responses[status].content['application/json'].schema

  it('finds nothing in the same document, whatever the order of options', () => {
    expect(
      changed((document) =>
        JSON.stringify(document, (_key, value) => {
          if (Array.isArray(value?.anyOf)) value.anyOf.reverse()
          return value
        }),
      ),
    ).toEqual([])
  })
  it('finds nothing in a copy', () => expect(changed(() => {})).toEqual([]))
  it.each<[string, (document: any) => void, string]>([
    ['a removed operation', ({ paths }) => delete paths['/teams'].post, 'POST /teams is gone'],
    ['a required field', (document) => bodyOf(document).required.push('motto'), 'POST /teams body.motto is required'],
    [
      'a removed field',
      (document) => delete bodyOf(document).properties.experience,
      'POST /teams body.experience is gone',
    ],
    [
      'a stricter limit',
      (document) => (bodyOf(document).properties.name.maxLength = 30),
      'POST /teams body.name has a stricter maxLength',
    ],
    [
      'a removed choice',
      (document) => bodyOf(document).properties.experience.enum.pop(),
      'POST /teams body.experience allows less',
    ],
    ['a removed parameter', ({ paths }) => paths['/teams'].get.parameters.shift(), 'GET /teams query page is gone'],
    ['a required token', ({ paths }) => (paths['/teams'].get.security = [{ bearer: [] }]), 'GET /teams needs a token'],
    [
      'a removed response field',
      ({ components }) => delete components.schemas.LeaderboardRow.properties.rank,
      'GET /teams/leaderboard 200.data.leaderboard[].rank is gone',
    ],
    [
      'a response field that may be absent',
      ({ components }) => components.schemas.LeaderboardRow.required.pop(),
      'GET /teams/leaderboard 200.data.leaderboard[].points may be absent',
    ],
    [
      'another type',
      ({ components }) => (components.schemas.LeaderboardRow.properties.rank.type = 'string'),
      'GET /teams/leaderboard 200.data.leaderboard[].rank has another type',
    ],
    [
      'another constant',
      ({ paths }) => (jsonOf(paths['/teams/leaderboard'].get, 200).properties.success.const = false),
      'GET /teams/leaderboard 200.success has other values',
    ],
    [
      'another format',
      ({ components }) => (components.schemas.LeaderboardRow.properties.id.format = 'uri'),
      'GET /teams/leaderboard 200.data.leaderboard[].id has another format',
    ],
    [
      'a value that may be null',
      ({ components }) => {
        const { properties } = components.schemas.LeaderboardRow
        properties.rank = { anyOf: [properties.rank, { type: 'null' }] }
      },
      'GET /teams/leaderboard 200.data.leaderboard[].rank has another type',
    ],
    [
      'an error code that is gone',
      ({ paths }) => jsonOf(paths['/teams/{id}'].get, 404).allOf[1].properties.code.enum.shift(),
      'GET /teams/{id} 404.code has other values',
    ],
    [
      'a field of failures that is gone',
      ({ components }) => delete components.schemas.Failure.properties.requestId,
      'GET /teams/{id} 404.requestId is gone',
    ],
    [
      'a failure with another status',
      ({ paths }) => delete paths['/teams/{id}'].get.responses[404],
      'GET /teams/{id} has no 404',
    ],
    [
      'unique items',
      (document) => (bodyOf(document).properties.rolesNeeded.uniqueItems = true),
      'POST /teams body.rolesNeeded has stricter uniqueItems',
    ],
    [
      'another content type',
      ({ paths }) => {
        const { content } = paths['/upload/single'].post.requestBody
        content['application/octet-stream'] = content['multipart/form-data']
        delete content['multipart/form-data']
      },
      'POST /upload/single body is no longer multipart/form-data',
    ],
  ])('finds %s', (_name, change, expected) => expect(changed(change)).toContain(expected))

  it('allows new operations, optional fields and response fields', () =>
    expect(
      changed((document) => {
        document.paths['/mottos'] = { get: { responses: {} } }
        bodyOf(document).properties.motto = { type: 'string' }
        document.components.schemas.LeaderboardRow.properties.motto = { type: 'string' }
      }),
    ).toEqual([]))
})
