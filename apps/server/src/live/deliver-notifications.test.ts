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

async function notify(userId: string) {
  await inTransaction(server.db, (tx) =>
    insertNotification(tx, userId, { kind: 'account.warned', params: { warning: 'Be kind' }, actorId: null }),
  )
  const [row] = await server.sql`select id, sequence::int from notifications where user_id = ${userId}`
  return row as { id: string; sequence: number }
}

it('delivers a notification that the watermark has reached since the last poll, once', async () => {
  const { id: userId } = await server.createMember()
  const { id, sequence } = await notify(userId)
  const sent: unknown[] = []
  const stream = {
    caller: { id: userId, role: 'member', familyId: null },
    topics: new Set(['notifications'] as const),
    cursor: { low: sequence - 1, seen: [] },
    send: (_topic: string, data: unknown) => void sent.push(data),
  } as Partial<Stream> as Stream
  for (let poll = 0; poll < 2; poll++)
    await deliverNotifications(server.db, [stream], { watermark: sequence, newest: sequence })
  expect(sent).toEqual([{ id, kind: 'account.warned' }])
  expect(stream.cursor).toEqual({ low: sequence, seen: [] })
})

it('resets a stream whose position is newer than the database, and delivers what follows', async () => {
  const { id: userId } = await server.createMember()
  const sent: unknown[] = []
  const stream = {
    caller: { id: userId, role: 'member', familyId: null },
    topics: new Set(['notifications'] as const),
    resumeFrom: { low: 5, seen: [900_000] },
    send: (_topic: string, data: unknown) => void sent.push(data),
    sendState: (event: string) => void sent.push(event),
  } as Partial<Stream> as Stream
  await deliverNotifications(server.db, [stream], { watermark: 0, newest: 0 })
  expect(sent.splice(0)).toEqual(['ready', 'reset'])
  const { id, sequence } = await notify(userId)
  await deliverNotifications(server.db, [stream], { watermark: 0, newest: sequence })
  expect(sent).toEqual([{ id, kind: 'account.warned' }])
})
