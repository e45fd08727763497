import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import product from '../../../package.json' with { type: 'json' }
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { findBreakingChanges } from './openapi-breaking-changes.ts'
import {
  assertNewVersion,
  forClients,
  isWrittenByRelease,
  readReleased,
  release,
  unreleasedEntries,
} from './openapi-release.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'

const CHANGELOG = new URL('../../../CHANGELOG.md', import.meta.url)

const current = forClients(openApiDocument(DOCUMENT_SETTINGS))

describe('the document and the last released one', () => {
  it('has no breaking change that the changelog does not name; RELEASE_OPENAPI=1 releases the document', async () => {
    if (process.env['RELEASE_OPENAPI']) await release(current)
    const announced = unreleasedEntries(await readFile(CHANGELOG, 'utf8'))
    const silent = findBreakingChanges(await readReleased(), current).filter(
      (change) => !announced.includes(`\`${change.split(' ').slice(0, 2).join(' ')}\``),
    )
    expect(silent).toEqual([])
  })

  it('changes the released document with a new version only', async () => {
    const released = await readReleased()
    expect(isWrittenByRelease(product.version)).toBe(true)
    expect(() => assertNewVersion(released, released)).toThrow(`${released.info.version} is released`)
    expect(() => assertNewVersion(released, { info: { version: '99.0.0' } })).not.toThrow()
    expect(await readFile(CHANGELOG, 'utf8')).toContain(`\n## ${released.info.version}\n`)
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

  it('finds nothing in the same document', () => expect(changed(() => {})).toEqual([]))
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
