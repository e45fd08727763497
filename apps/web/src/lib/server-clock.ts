import { useQuery } from '@tanstack/react-query'
import { trpc } from './trpc.ts'
import { useNow } from './use-now.ts'

const TICK_MS = 20_000

/** Milliseconds the server's clock is ahead of this device's; 0 until the server's time is known. */
export function useServerAhead(): number {
  const { data, dataUpdatedAt } = useQuery(trpc.system.settings.queryOptions())
  return data ? Date.parse(data.settings.serverTime) - dataUpdatedAt : 0
}

/** A clock that is ahead of this device's. */
export const clockAhead = (milliseconds: number) => () => new Date(Date.now() + milliseconds)

/** The server's time, which decides deadlines, updated every 20 s. */
export const useServerNow = (): Date => new Date(useNow(TICK_MS) + useServerAhead())
