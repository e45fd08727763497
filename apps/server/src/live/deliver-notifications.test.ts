import { inTransaction } from '@community/db'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../../test/test-server.ts'
import { insertNotification } from '../notifications/commands.ts'
import { deliverNotifications } from './deliver-notifications.ts'
import type { Stream } from './stream.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

it('delivers a notification that the watermark has reached since the last poll, once', async () => {
  const { id: userId } = await server.createMember()
  await inTransaction(server.db, (tx) =>
    insertNotification(tx, userId, { kind: 'account.warned', params: { warning: 'Be kind' }, actorId: null }),
  )
  const [row] = await server.sql`select id, sequence::int from notifications where user_id = ${userId}`
  const { id, sequence } = row as { id: string; sequence: number }
  const sent: unknown[] = []
  const stream = {
    caller: { id: userId, role: 'member', familyId: null },
    topics: new Set(['notifications'] as const),
    cursor: { low: sequence - 1, seen: [] },
    send: (_topic: string, data: unknown) => void sent.push(data),
  } as Partial<Stream> as Stream
  for (let poll = 0; poll < 2; poll++) await deliverNotifications(server.db, [stream], sequence, sequence)
  expect(sent).toEqual([{ id, kind: 'account.warned' }])
  expect(stream.cursor).toEqual({ low: sequence, seen: [] })
})
