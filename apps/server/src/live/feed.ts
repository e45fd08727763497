import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, isDatabaseUnavailable, onlyRow } from '@community/db'
import type { Deps } from '../context.ts'
import { createSleep } from '../jobs/sleep.ts'
import { type Changes, createChangeReader } from './changes.ts'
import { deliverNotifications } from './deliver-notifications.ts'
import { findValidSessions, selectEarlierSequence, selectState } from './queries.ts'
import type { Stream } from './stream.ts'
import { createWatermark, type Watermark } from './watermark.ts'

/** Milliseconds after which the database is polled although no change was announced. */
const IDLE_MS = 1000
/** Minimum milliseconds between two polls. */
const SPACING_MS = 100
/** The pause after a poll, as a multiple of its duration: polls take a tenth of the time at most. */
const PAUSE_FACTOR = 9
/** Milliseconds of that pause at most: events arrive within a second also at 2,000 streams. */
const PAUSE_MAX_MS = 400

interface FeedOptions {
  db: Db
  log: Deps['log']
  streams: ReadonlySet<Stream>
  /** Runs before each poll. */
  onPoll(): Promise<void>
}

const parseSnapshot = (snapshot: string) => {
  const [xmin = '0', xmax = '0'] = snapshot.split(':')
  return { xmin: BigInt(xmin), xmax: BigInt(xmax) }
}

const sessionOf = ({ caller }: Stream): string | undefined => caller?.personalToken?.id ?? caller?.familyId ?? undefined
const roleOf = ({ caller }: Stream): string | undefined => caller?.personalToken?.ownerRole ?? caller?.role

/** Ends the streams whose sign-in or token is no longer valid, or whose user has another role. */
async function endInvalid(db: Db, streams: readonly Stream[]): Promise<void> {
  const sessions = new Set(streams.map(sessionOf).filter((id) => id !== undefined))
  const roles = await findValidSessions(db, [...sessions])
  for (const stream of streams) {
    const session = sessionOf(stream)
    if (session !== undefined && roles.get(session) !== roleOf(stream)) stream.end()
  }
}

function deliverChanges(streams: readonly Stream[], { topics, teamsOf }: Changes): void {
  for (const stream of streams) {
    for (const topic of ['submissions', 'teams', 'leaderboard', 'challenges'] as const)
      if (topics.has(topic) && stream.topics.has(topic)) stream.send(topic, {})
    const teamIds = stream.caller && stream.topics.has('team') ? teamsOf.get(stream.caller.id) : undefined
    for (const teamId of teamIds ?? []) stream.send('team', { teamId })
  }
}

/** Polls for committed changes while streams are open, and sends them: after `wake` within 100 ms, otherwise within a second. */
export function startFeed({ db, log, streams, onPoll }: FeedOptions) {
  const { wake, sleep: sleepUntilWoken } = createSleep(IDLE_MS)
  let isStopping = false
  let watermark: Watermark | undefined
  let readChanges = createChangeReader(db)
  /** The watermark of the last successful poll. Later ones may lie after changes that it did not deliver. */
  let since = ''
  let lastState: string | undefined

  const startWatermark = async (time: string) => {
    const [earlier] = await selectEarlierSequence(db)
    readChanges = createChangeReader(db)
    since = time
    return createWatermark({ time, sequence: earlier?.sequence ?? 0 })
  }
  async function poll(): Promise<void> {
    await onPoll()
    // Before the state is read: streams that are added meanwhile may know later sequences, and wait for the next poll.
    const all = [...streams]
    const state = onlyRow(await selectState(db))
    watermark ??= await startWatermark(state.time)
    watermark.advance(state, parseSnapshot(state.snapshot), performance.now())
    const text = `${state.snapshot} ${state.nextDeadline}`
    if (text === lastState && all.every(({ cursor }) => cursor)) return
    await endInvalid(db, all)
    const low = watermark.get()
    const changes = await readChanges(since, state.nextDeadline)
    await deliverNotifications(db, all, { watermark: low.sequence, newest: state.sequence })
    deliverChanges(all, changes)
    changes.confirm()
    since = low.time
    lastState = text
  }
  async function run(): Promise<void> {
    while (!isStopping) {
      const startedAt = performance.now()
      if (streams.size === 0) {
        // Nobody receives the changes until the next stream, which starts at that time.
        watermark = undefined
        lastState = undefined
      } else
        await poll().catch((error: unknown) =>
          log[isDatabaseUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'polling for changes failed'),
        )
      await sleep(Math.min(PAUSE_MAX_MS, Math.max(SPACING_MS, PAUSE_FACTOR * (performance.now() - startedAt))))
      await sleepUntilWoken()
    }
  }
  const done = run()
  return {
    /** Polls as soon as possible. */
    wake,
    async stop(): Promise<void> {
      isStopping = true
      wake()
      await done
    },
  }
}
