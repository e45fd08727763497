import { useSyncExternalStore } from 'react'
import { trpc } from './trpc.ts'

const TICK_MS = 20_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Milliseconds the server's clock is ahead of this device's; 0 until the server has told its time. */
export function useServerAhead(): number {
  const { data, dataUpdatedAt } = trpc.system.settings.useQuery()
  return data ? Date.parse(data.settings.serverTime) - dataUpdatedAt : 0
}

/** A clock that much ahead of this device's. */
export const clockAhead = (milliseconds: number) => () => new Date(Date.now() + milliseconds)

/** The server's time, which judges deadlines; drawn again every 20 s. */
export function useServerNow(): Date {
  const ahead = useServerAhead()
  return new Date(useSyncExternalStore(subscribe, () => now) + ahead)
}
