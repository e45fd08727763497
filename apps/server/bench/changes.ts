import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { median, prepare, ratePerSecond } from './driver.ts'
import type { Program } from './programs.ts'

const READERS = 16
/** Milliseconds between two changes. */
const PAUSE = 100

/** Requests a second; the ratio is the median of those of the rounds. */
export interface ChangesResult {
  quiet: number
  changing: number
  ratio: number
}

const READ = prepare({ path: '/api/teams/leaderboard?limit=100' })
const readsPerSecond = ({ port }: Program, seconds: number) =>
  ratePerSecond({ port, connections: READERS, seconds, next: () => READ })

/** The leaderboard, read without pause, alone and while somebody commits ten changes a second. */
export async function measureChanges(
  product: Program,
  { databaseUrl, rounds, seconds }: { databaseUrl: string; rounds: number; seconds: number },
): Promise<ChangesResult> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  let isOn = true
  const change = async () => {
    for (; isOn; await sleep(PAUSE)) await sql`update settings set updated_at = now()`
  }
  const found: { quiet: number; changing: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const quiet = await readsPerSecond(product, seconds)
    isOn = true
    const changes = change()
    found.push({ quiet, changing: await readsPerSecond(product, seconds) })
    isOn = false
    await changes
  }
  await sql.end()
  return {
    quiet: median(found.map(({ quiet }) => quiet)),
    changing: median(found.map(({ changing }) => changing)),
    ratio: median(found.map(({ quiet, changing }) => changing / quiet)),
  }
}
