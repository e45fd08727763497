/** The guarantees, and the results of their runs in `results/`. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Tier, Guarantee, Result } from './guarantee.ts'

const RESULTS = path.join(import.meta.dirname, 'results')

/** Which test failed because of a deliberate fault; null if none did. */
export interface Noticed {
  what: string
  by: string | null
  seconds: number
}

/** A result with the date of its run. */
type Dated<T> = T & { date: string }

export async function allGuarantees(): Promise<Guarantee[]> {
  const files = await readdir(path.join(import.meta.dirname, 'guarantees'))
  const names = files.filter((file) => file.endsWith('.ts')).map((file) => path.basename(file, '.ts'))
  const modules = names
    .toSorted()
    .map(async (name) => ((await import(`./guarantees/${name}.ts`)) as { guarantee: Guarantee }).guarantee)
  return Promise.all(modules)
}

async function read<T>(name: string): Promise<Dated<T>[]> {
  const text = await readFile(path.join(RESULTS, `${name}.json`), 'utf8').catch(() => '[]')
  return JSON.parse(text) as Dated<T>[]
}

/** Saves a result in place of the earlier one of the same subject. */
async function save<T>(name: string, result: T, isSame: (other: T) => boolean): Promise<void> {
  const others = (await read<T>(name)).filter((other) => !isSame(other))
  const dated: Dated<T> = { ...result, date: new Date().toISOString().slice(0, 10) }
  await mkdir(RESULTS, { recursive: true })
  await writeFile(path.join(RESULTS, `${name}.json`), `${JSON.stringify([...others, dated], null, 2)}\n`)
}

export const resultsOf = (tier: Tier) => read<Result>(tier)
export const saveResult = (tier: Tier, result: Result) => save(tier, result, ({ id }) => id === result.id)
export const noticedFaults = () => read<Noticed>('mutations')
export const saveNoticed = (noticed: Noticed) => save('mutations', noticed, ({ what }) => what === noticed.what)
