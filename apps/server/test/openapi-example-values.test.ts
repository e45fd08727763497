import { LIVE_TOPIC_NAMES, STREAM_EVENTS } from '@community/contract'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { CURSOR_PATTERN } from '../src/live/cursor.ts'
import { isWellFormed } from '../src/personal-tokens/token-format.ts'
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'

type Content = Record<string, { example?: { data?: Record<string, unknown> } & Record<string, unknown> }>
interface Operation {
  parameters?: { name: string; example?: string }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
}

const document = openApiDocument(DOCUMENT_SETTINGS) as Document
const responseOf = (address: string, status: string) =>
  document.paths[address]?.['post']?.responses[status]?.content?.['application/json']?.example?.data

/** Each value of `example` in the document, as JSON. */
function examplesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'example' ? [JSON.stringify(inner)] : examplesIn(inner),
  )
}
const examples = examplesIn(document)

describe('the values of the document’s examples', () => {
  it('have no address of a developer’s machine, and files at APP_URL', () => {
    expect(examples.filter((text) => /localhost|127\.0\.0\.1/.test(text))).toEqual([])
    expect(responseOf('/upload/single', '201')?.['file']).toMatchObject({
      secureUrl: expect.stringMatching(`^${DOCUMENT_SETTINGS.appUrl}/files/`),
    })
  })

  it('share no id between operations, except those of one import', () => {
    const owners = new Map<string, Set<string>>()
    for (const [address, item] of Object.entries(document.paths))
      for (const [method, { requestBody, responses }] of Object.entries(item))
        for (const { content } of [requestBody ?? {}, ...Object.values(responses)])
          for (const [id] of JSON.stringify(content?.['application/json']?.example ?? '').matchAll(
            /[\da-f-]{24}[\da-f]{12}/g,
          ))
            owners.set(id, (owners.get(id) ?? new Set()).add(`${method} ${address}`))
    const shared = Array.from(owners).filter(
      ([id, names]) =>
        names.size > 1 && !id.endsWith('3f1f6f0c2a11') && ![...names].every((name) => name.includes('/import')),
    )
    expect(owners.size).toBeGreaterThan(100)
    expect(shared).toEqual([])
  })

  it('have a personal access token as the server makes them', () => {
    expect(isWellFormed(String(responseOf('/users/tokens', '201')?.['secret']))).toBe(true)
  })

  it('have messages that the secret of a created webhook verifies', () => {
    const { parameters = [], requestBody } = document.webhooks['ping']?.post ?? {}
    const headers = Object.fromEntries(parameters.map(({ name, example }) => [name, example ?? '']))
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000)
    const body = JSON.stringify(requestBody?.content['application/json']?.example)
    const secret = String(responseOf('/webhooks', '201')?.['secret'])
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'ping' })
    vi.useRealTimers()
  })

  it('have a stream of events with ids', () => {
    const stream: unknown =
      document.paths['/events']?.['get']?.responses['200']?.content?.['text/event-stream']?.example
    const valuesOf = (field: string) =>
      Array.from(String(stream).matchAll(new RegExp(`^${field}: (.*)$`, 'gm')), ([, value]) => value)
    expect([...LIVE_TOPIC_NAMES, ...Object.keys(STREAM_EVENTS)]).toEqual(expect.arrayContaining(valuesOf('event')))
    expect(valuesOf('id').length).toBeGreaterThan(0)
    for (const id of valuesOf('id')) expect(id).toMatch(CURSOR_PATTERN)
    for (const data of valuesOf('data')) expect(() => JSON.parse(String(data)) as unknown).not.toThrow()
  })
})
