import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '@community/testing/database/users'
import { openStream } from '@community/testing/event-stream'

/** Follows a user's notifications, reconnecting whenever the stream ends. */
export function followNotifications(port: number, user: User) {
  const [ids, statuses]: [string[], number[]] = [[], []]
  let [isOver, lastEventId]: [boolean, string | undefined] = [false, undefined]
  const connect = async () => {
    const query = '?topics=notifications'
    const stream = await openStream(`http://127.0.0.1:${port}`, { user, query, lastEventId })
    statuses.push(stream.status)
    if (stream.status !== 200) await sleep(100)
    while (!stream.isEnded() && !isOver) await sleep(20)
    stream.close()
    ids.push(...stream.of('notifications').map(({ data }) => String(data['id'])))
    lastEventId = stream.lastId() ?? lastEventId
  }
  const work = async () => {
    while (!isOver)
      await connect().catch(() => {
        statuses.push(0)
        return sleep(20)
      })
  }
  const done = work()
  return {
    /** Resolves with the ids received, in order, and the status of each connection; 0 where none was accepted. */
    async end() {
      isOver = true
      await done
      return { ids, statuses }
    },
  }
}
