import { inTransaction } from '@community/db'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Mail } from '../src/integrations/mailer.ts'
import { digestHandler } from '../src/jobs/digests.ts'
import { notificationMailHandler } from '../src/jobs/notification-mail.ts'
import { startWorker } from '../src/jobs/worker.ts'
import { insertNotification } from '../src/notifications/commands.ts'
import { openTestServer, type TestServer, type TestUser } from './test-server.ts'

export const TEAM_ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const HANDLERS = { 'notification-mail': notificationMailHandler, 'notification-digest': digestHandler }

/** Opens a server before the file's tests. Before each one it deletes all jobs and notifications and creates a new member. */
export function openMailFixture(): { server: TestServer; member: TestUser } {
  // Cast: the hooks run before the tests.
  const fixture = {} as { server: TestServer; member: TestUser }
  beforeAll(async () => {
    fixture.server = await openTestServer()
  })
  beforeEach(async () => {
    await fixture.server.sql`delete from jobs`
    await fixture.server.sql`delete from notifications`
    fixture.member = await fixture.server.createMember()
  })
  afterAll(() => fixture.server.close())
  return fixture
}

export const notifyOfDeactivation = ({ db }: TestServer, { id }: TestUser, team: string) =>
  inTransaction(db, (tx) =>
    insertNotification(tx, id, {
      kind: 'team.deactivated',
      params: { team, teamId: TEAM_ID },
      teamId: TEAM_ID,
      actorId: null,
    }),
  )

/** Runs the due jobs of a kind; resolves with the sent mails once every job is done. */
export async function deliverMails(
  { deps, sql }: TestServer,
  kind: keyof typeof HANDLERS,
  send?: (mail: Mail) => Promise<void>,
): Promise<Mail[]> {
  const sent: Mail[] = []
  const mailer = { ...deps.mailer, send: send ?? (async (mail: Mail) => void sent.push(mail)) }
  const worker = startWorker(deps, { [kind]: HANDLERS[kind]({ ...deps, mailer }) })
  const findUndone = () => sql`select status from jobs where kind = ${kind} and status <> 'done'`
  try {
    await expect.poll(findUndone).toEqual([])
  } finally {
    await worker.stop()
  }
  return sent
}
