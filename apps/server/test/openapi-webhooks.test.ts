import { readFile, writeFile } from 'node:fs/promises'
import { WEBHOOK_EVENT_NAMES } from '@community/contract'
import { PASSWORD } from '@community/testing'
import { type ApiDocument, DocumentChecker } from '@community/testing/api-document'
import { startWebhookReceiver } from '@community/testing/webhook-receiver'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, it, vi } from 'vitest'
import { webhookEventHandler, webhookHandler } from '../src/jobs/webhooks.ts'
import { startWorker } from '../src/jobs/worker.ts'
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { EVENT_JOB, WEBHOOK_JOB } from '../src/webhooks/job-kinds.ts'
import { maskVariableValues } from './openapi-examples.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'
import { openTestServer } from './test-server.ts'

const FILE = new URL('../src/rest/openapi/webhook-examples.json', import.meta.url)
const TYPES = [...WEBHOOK_EVENT_NAMES, 'ping']

const server = await openTestServer({ WEBHOOKS_TO_PRIVATE_ADDRESSES: '1' })
const receiver = await startWebhookReceiver()
const worker = startWorker(server.deps, {
  [WEBHOOK_JOB]: webhookHandler(server.deps, new AbortController().signal),
  [EVENT_JOB]: webhookEventHandler(server.deps, new AbortController().signal),
})
const secret = await causeEveryMessage()
afterAll(async () => {
  await worker.stop()
  await receiver.close()
  await server.close()
})

/** Makes the server send one message of each type; returns the webhook's secret. */
async function causeEveryMessage(): Promise<string> {
  const [admin, chef, mate] = [await server.createAdmin(), await server.createMember(), await server.createMember()]
  const as = server.rest(admin)
  const input = { url: receiver.url, events: WEBHOOK_EVENT_NAMES, password: PASSWORD }
  const created = (await as('POST /webhooks', input)).body.data
  await as(`POST /webhooks/${created.webhook.id}/ping`, { password: PASSWORD })
  const team = await server.createTeam(chef)
  await server.join(team, mate)
  await server.rest(mate)(`POST /teams/${team.id}/leave`)
  const challenge = await server.createChallenge(admin)
  const work = { teamId: team.id, type: 'link', content: 'https://github.com/atlas-lions/app' }
  const applied = await server.rest(chef)(`POST /challenges/${challenge.id}/apply`, work)
  const { id } = applied.body.data.submission
  await as(`POST /submissions/${id}/evaluate`, { status: 'rejected' })
  await as(`POST /submissions/${id}/reset-evaluation`)
  await as(`POST /submissions/${id}/evaluate`, { status: 'approved', score: 87 })
  await as(`POST /admin/challenges/${challenge.id}/deactivate`, { password: PASSWORD })
  await as('POST /admin/ban', { userId: mate.id, reason: 'Spam', password: PASSWORD })
  await vi.waitFor(() => expect(new Set(receiver.types())).toEqual(new Set(TYPES)), { timeout: 20_000, interval: 50 })
  return created.secret
}

const document = JSON.parse(JSON.stringify(openApiDocument(DOCUMENT_SETTINGS))) as ApiDocument & {
  webhooks: Record<string, { post: { parameters: { name: string; example: string }[]; requestBody: object } }>
}

it('documents every message that the server sends, and no other', () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual(TYPES.toSorted())
})

it.each(TYPES)('documents %s as the server sends it', (type) => {
  const checker = new DocumentChecker(document)
  const sent = receiver.received.filter(({ message }) => message.type === type)
  expect(sent).not.toEqual([])
  const place = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema']
  for (const { message, headers } of sent) {
    expect(checker.findSchemaProblem(message, ...place)).toBeNull()
    for (const { name } of document.webhooks[type]?.post.parameters ?? []) expect(headers).toHaveProperty(name)
  }
  expect(checker.findSchemaProblem({ ...sent[0]?.message, data: { wrong: true } }, ...place)).not.toBeNull()
})

it('documents the signature headers that the server sends', () => {
  for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(document.webhooks['ping']?.post.parameters.map(({ name }) => name)).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ])
})

it('has examples that equal sent messages; UPDATE_EXAMPLES=1 writes them', async () => {
  const messageOf = (type: string) => receiver.received.find(({ message }) => message.type === type)?.message ?? {}
  const examples = Object.fromEntries(TYPES.map((type) => [type, maskVariableValues(type, messageOf(type))]))
  if (process.env['UPDATE_EXAMPLES']) await writeFile(FILE, `${JSON.stringify(examples, null, 2)}\n`)
  expect(examples).toEqual(JSON.parse(await readFile(FILE, 'utf8')))
})
