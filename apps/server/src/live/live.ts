import { type LiveTopic, HEARTBEAT_SECONDS, limits } from '@community/contract'
import type { Deps } from '../context.ts'
import type { LiveLoad } from '../observability/live-metrics.ts'
import { startFeed } from './feed.ts'
import { createBroadcast } from './broadcast.ts'
import type { Stream } from './stream.ts'

/** Streams live as long as an access token, so that its end and a change of role reach them. */
const STREAM_MS = limits.ACCESS_TOKEN_TTL * 1000

/** Returns the open streams of this process, with the feed and the broadcast that wake and fill them. */
export function createLive({ db, log, openDirect }: Pick<Deps, 'db' | 'log' | 'openDirect'>) {
  const streams = new Set<Stream>()
  const events = new Map<LiveTopic, number>()
  let feed: ReturnType<typeof startFeed> | undefined
  let isClosed = false
  const broadcast = createBroadcast({ db, log, openDirect, onNotice: () => feed?.wake() })

  const sendHeartbeats = () => {
    const now = performance.now()
    for (const stream of streams) {
      if (now - stream.openedAt > STREAM_MS) stream.end()
      else stream.heartbeat()
    }
  }
  const timer = setInterval(sendHeartbeats, HEARTBEAT_SECONDS * 1000)
  timer.unref()
  return {
    load: (): LiveLoad => ({ streams: streams.size, events }),
    onEvent: (topic: LiveTopic) => events.set(topic, (events.get(topic) ?? 0) + 1),
    /** Adds an open stream; false while closing. */
    add(stream: Stream): boolean {
      if (isClosed) return false
      streams.add(stream)
      broadcast.listen()
      feed ??= startFeed({ db, log, streams, onPoll: () => broadcast.check() })
      feed.wake()
      return true
    },
    remove: (stream: Stream) => streams.delete(stream),
    /** Polls for the changes of a write that has ended, and notifies the other processes of it. */
    announce(): void {
      feed?.wake()
      broadcast.announce()
    },
    /** Ends all streams. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      for (const stream of streams) stream.end()
      await feed?.stop()
      await broadcast.close()
    },
  }
}
export type Live = ReturnType<typeof createLive>
