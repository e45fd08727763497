/** The guarantees, and what runs found of them in `results/`. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Tier, Guarantee, Result } from './guarantee.ts'

const RESULTS = path.join(import.meta.dirname, 'results')
const KERNEL = `${os.type()} ${os.release().split('.').slice(0, 2).join('.')}`
const MACHINE = `${os.cpus().length} x ${os.cpus()[0]?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${KERNEL}, Node ${process.version}`

/** When and where something was found. */
export interface Found {
  date: string
  machine: string
}

/** Which test noticed a deliberate fault; null where none did. */
export interface Noticed {
  what: string
  by: string | null
  seconds: number
}

export const numberOf = ({ id }: { id: string }): number => Number(id.slice(1))

export async function allGuarantees(): Promise<Guarantee[]> {
  const names = (await readdir(path.join(import.meta.dirname, 'guarantees'))).filter((name) => name.endsWith('.ts'))
  const modules = names.map(
    async (name) => ((await import(`./guarantees/${name}`)) as { guarantee: Guarantee }).guarantee,
  )
  return (await Promise.all(modules)).toSorted((a, b) => numberOf(a) - numberOf(b))
}

async function read<T>(name: string): Promise<(T & Found)[]> {
  try {
    return JSON.parse(await readFile(path.join(RESULTS, `${name}.json`), 'utf8')) as (T & Found)[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Replaces what was found of the same before. */
async function keep<T>(name: string, row: T, isSame: (other: T) => boolean): Promise<void> {
  const others = (await read<T>(name)).filter((other) => !isSame(other))
  const found: T & Found = { ...row, date: new Date().toISOString().slice(0, 10), machine: MACHINE }
  await mkdir(RESULTS, { recursive: true })
  await writeFile(path.join(RESULTS, `${name}.json`), `${JSON.stringify([...others, found], null, 2)}\n`)
}

export const resultsOf = (tier: Tier) => read<Result>(tier)
export const keepResult = (tier: Tier, result: Result): Promise<void> =>
  keep(tier, result, ({ id }) => id === result.id)
export const noticedFaults = () => read<Noticed>('mutations')
export const keepNoticed = (noticed: Noticed): Promise<void> =>
  keep('mutations', noticed, ({ what }) => what === noticed.what)
