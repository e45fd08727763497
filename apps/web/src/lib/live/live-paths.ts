import { createStore } from '../store.ts'

/** Path prefixes of the queries that `lib/live` fetches when the tab is shown again; none until its stream has been open. */
export const livePaths = createStore<readonly string[]>([])
