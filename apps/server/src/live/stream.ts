import type { ServerResponse } from 'node:http'
import type { LiveData, LiveTopic, StreamEvent } from '@community/contract'
import type { Caller } from '../context.ts'
import { type Cursor, formatCursor } from './cursor.ts'

/** Bytes that wait for a slow reader before it is disconnected. */
const UNSENT_MAX = 64 * 1024
/** Milliseconds after which clients connect again, at random between these. */
const RETRY_MS = { min: 1000, max: 5000 }

/** An open response of `GET /events`. */
export interface Stream {
  readonly caller: Pick<Caller, 'id' | 'role' | 'familyId' | 'personalToken'> | null
  readonly topics: ReadonlySet<LiveTopic>
  /** When it was opened, by `performance.now()`. */
  readonly openedAt: number
  /** From `Last-Event-ID`. */
  readonly resumeFrom: Cursor | undefined
  /** The cursor of what the client has received; undefined until the stream's first poll. */
  cursor: Cursor | undefined
  send<T extends LiveTopic>(topic: T, data: LiveData<T>): void
  /** Sends an event about the stream. */
  sendState(event: Exclude<StreamEvent, 'end'>): void
  heartbeat(): void
  /** Asks the client to connect again, and ends the response. */
  end(): void
}

interface StreamOptions {
  response: ServerResponse
  caller: Stream['caller']
  topics: ReadonlySet<LiveTopic>
  resumeFrom: Cursor | undefined
  onEvent(topic: LiveTopic): void
}

export function createStream({ response, caller, topics, resumeFrom, onEvent }: StreamOptions): Stream {
  const write = (text: string) => {
    if (response.destroyed || response.writableEnded) return
    response.write(text)
    if (response.writableLength > UNSENT_MAX) response.destroy()
  }
  const idLine = (current: Cursor | undefined) => (caller && current ? `id: ${formatCursor(current)}\n` : '')
  return {
    caller,
    topics,
    openedAt: performance.now(),
    resumeFrom,
    cursor: undefined,
    send(topic, data) {
      onEvent(topic)
      write(`${idLine(this.cursor)}event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    sendState(event) {
      write(`${idLine(this.cursor)}event: ${event}\ndata: {}\n\n`)
    },
    heartbeat: () => write(':\n\n'),
    end() {
      const retry = Math.round(RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min))
      write(`retry: ${retry}\nevent: end\ndata: {}\n\n`)
      response.end()
    },
  }
}
