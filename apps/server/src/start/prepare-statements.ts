import { setTimeout as sleep } from 'node:timers/promises'
import { prepareAll } from '@community/db'
import type { FastifyBaseLogger } from 'fastify'

/** Milliseconds from the end of a start: the first requests need the processor. */
const DELAY_MS = 2000

/** Builds the texts of the statements that no request has used yet. A failure is only logged: a request builds the text that it needs. */
export async function prepareStatements(log: FastifyBaseLogger, shutdown: AbortSignal): Promise<void> {
  try {
    await sleep(DELAY_MS, undefined, { signal: shutdown, ref: false })
    await prepareAll()
  } catch (error) {
    if (!shutdown.aborted) log.error({ err: error }, 'the statements could not be prepared')
  }
}
