import { randomUUID } from 'node:crypto'
import type { Connection, Db } from '@community/db'
import type { Deps } from '../context.ts'
import { sendNotice } from './commands.ts'

const CHANNEL = 'live'
/** Milliseconds between two notices of a process. */
const SPACING_MS = 100
/** Milliseconds after which the listening connection counts as lost if it has not received this process's own notice. */
const ECHO_TIMEOUT_MS = 5000

interface BroadcastOptions {
  db: Db
  log: Deps['log']
  openDirect(): Connection
  /** Called when another process has committed something, or may have. */
  onNotice(): void
}

/**
 * Notifies other processes of a commit, by NOTIFY in a statement of its own: within the committed transaction it would make all commits wait
 * for each other. A lost notice costs only time, because every process also polls.
 */
export function createBroadcast({ db, log, openDirect, onNotice }: BroadcastOptions) {
  const self = randomUUID()
  let listener: Connection | undefined
  let sending: NodeJS.Timeout | undefined
  /** When this process sent the first notice that its listener has not received yet, by `performance.now()`. */
  let unansweredSince: number | undefined
  const close = async () => {
    const closing = listener
    listener = undefined
    unansweredSince = undefined
    await closing?.close().catch((error: unknown) => log.debug({ err: error }, 'closing the listener failed'))
  }
  const open = () => {
    const opening = openDirect()
    listener = opening
    unansweredSince = performance.now()
    const onMessage = (sender: string) => {
      if (sender === self) unansweredSince = undefined
      else onNotice()
    }
    opening.sql
      .listen(CHANNEL, onMessage, () => {
        unansweredSince = undefined
        // Notices sent before the connection was open are lost.
        onNotice()
      })
      .catch((error: unknown) => log.debug({ err: error }, 'listening for changes failed'))
  }
  const send = async () => {
    unansweredSince ??= listener && performance.now()
    await sendNotice(db, CHANNEL, self)
  }
  return {
    /** Notifies the other processes within 100 ms. */
    announce(): void {
      sending ??= setTimeout(() => {
        sending = undefined
        send().catch((error: unknown) => log.debug({ err: error }, 'a notice could not be sent'))
      }, SPACING_MS)
    },
    listen: () => listener ?? open(),
    /** Opens the connection again if it has not received this process's own notices. */
    async check(): Promise<void> {
      if (!listener || unansweredSince === undefined || performance.now() - unansweredSince < ECHO_TIMEOUT_MS) return
      await close()
      open()
    },
    async close(): Promise<void> {
      clearTimeout(sending)
      await close()
    },
  }
}
