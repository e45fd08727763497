import { randomBytes } from 'node:crypto'
import type { Client } from '../harness/client.ts'
import { type ObjectStore, openObjectStore } from '@community/testing/object-store'
import type { Person } from '../harness/people.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, timeLimit, type Figures, type Guarantee, type GuaranteeContext } from '../guarantee.ts'

/** Milliseconds: below the ten seconds that clients wait. */
const WITHIN = 8000
/** How much slower other calls may be than with a storage that works; beside other work they get unlike shares of the machine. */
const SLOWER = { short: 2.5, full: 1.5, long: 1.5 }

interface Trouble {
  name: string
  begin(store: ObjectStore): void
  end(store: ObjectStore): void
  /** What an upload is answered meanwhile. */
  expected: number
}

const network = (name: string, change: (store: ObjectStore, isOn: boolean) => void): Trouble => ({
  name,
  begin: (store) => change(store, true),
  end: (store) => change(store, false),
  expected: 503,
})
const NETWORK: Trouble[] = [
  network('away', (store, isOn) => {
    store.network.isRefusing = isOn
    if (isOn) store.network.reset()
  }),
  network('silent', (store, isOn) => {
    store.network.isSilent = isOn
    // What was swallowed will never be answered.
    if (!isOn) store.network.reset()
  }),
  { ...network('slow', (store, isOn) => (store.network.delay = isOn ? 300 : 0)), expected: 201 },
]
const OWN: Trouble[] = [
  network('failing', (store, isOn) => {
    if (store.own) store.own.mood = isOn ? 'fails' : 'works'
  }),
]

interface Uploaded {
  status: number
  took: number
  url: string | null
}

async function upload(fixture: Fixture, { token }: Person, bytes: Buffer): Promise<Uploaded> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], 'report.pdf', { type: 'application/pdf' }))
  const began = performance.now()
  const answer = await fetch(`http://127.0.0.1:${fixture.servers[0]?.port}/api/upload/single`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
    signal: AbortSignal.timeout(60_000),
  })
  const body = (await answer.json()) as { data?: { file: { secureUrl: string } } }
  return { status: answer.status, took: performance.now() - began, url: body.data?.file.secureUrl ?? null }
}

/** Does a file come back as it was sent: `whole`, refused or broken off; `changed` is the one that must not be. */
async function readBack(fixture: Fixture, url: string, sent: Buffer): Promise<'whole' | 'refused' | 'changed'> {
  try {
    const answer = await fetch(`http://127.0.0.1:${fixture.servers[0]?.port}${new URL(url).pathname}`)
    const got = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) return 'refused'
    return got.equals(sent) ? 'whole' : 'changed'
  } catch {
    return 'refused'
  }
}

/** The median of some calls that have nothing to do with files, in milliseconds. */
async function otherCalls(client: Client, violations: string[]): Promise<number> {
  const took: number[] = []
  for (let turn = 0; turn < 40; turn++) {
    const answer = await client.call('GET /teams')
    if (answer.status !== 200) violations.push(`GET /teams: ${answer.status} while the storage is in trouble`)
    took.push(answer.took)
  }
  return took.toSorted((a, b) => a - b)[20] ?? 0
}

const rowsOf = async ({ sql }: Fixture): Promise<number> =>
  (await sql<{ n: number }[]>`select count(*)::int as n from uploads`)[0]?.n ?? 0

const pdfOf = (bytes: number) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes), Buffer.from('\n%%EOF\n')])

/** Every trouble in turn on one storage. */
async function tryStorage(context: GuaranteeContext, store: ObjectStore): Promise<Figures> {
  const { violations } = context
  const figures: Figures = {}
  const [uploads, bytes] = byTier(context, { short: [3, 20_000], full: [8, 500_000], long: [20, 1_000_000] } as const)
  const fixture = await context.open({ settings: store.settings })
  const kind = store.own ? 'own' : 'real'
  const { client } = fixture
  const pdf = pdfOf(bytes)
  const people = await fixture.people.members(uploads)
  const uploadAll = () => Promise.all(people.map((person) => upload(fixture, person, pdf)))
  const usual = await otherCalls(client, violations)

  for (const { name, begin, end, expected } of store.own ? [...NETWORK, ...OWN] : NETWORK) {
    const before = await rowsOf(fixture)
    begin(store)
    const uploading = uploadAll()
    const other = await otherCalls(client, violations)
    const uploaded = await uploading
    const ready = await client.call('GET /health')
    end(store)
    const slowest = Math.max(...uploaded.map(({ took }) => took))
    figures[`${kind}, ${name}`] =
      `uploads ${expected} within ${Math.round(slowest)} ms, other calls ${(other / usual).toFixed(2)} times the usual`
    if (uploaded.some(({ status }) => status !== expected))
      violations.push(`${name}: uploads were answered ${uploaded.map(({ status }) => status).join(', ')}`)
    if (slowest > timeLimit(context, WITHIN)) violations.push(`${name}: an upload took ${Math.round(slowest)} ms`)
    if (other > usual * byTier(context, SLOWER) + 10)
      violations.push(`${name}: other calls took ${other} ms instead of ${usual}`)
    if (ready.status !== 200) violations.push(`${name}: the readiness call answers ${ready.status}`)
    if (expected === 503 && ready.body?.data?.storage !== 'down') violations.push(`${name}: health does not tell it`)
    if ((await rowsOf(fixture)) !== before + (expected === 201 ? uploads : 0))
      violations.push(`${name}: rows were written for files that are not there`)
    const after = await upload(fixture, people[0] as Person, pdf)
    if (after.status !== 201 || after.url === null || (await readBack(fixture, after.url, pdf)) !== 'whole')
      violations.push(`${name}: afterwards an upload is answered ${after.status}`)
  }
  if (store.own) {
    store.own.mood = 'lies'
    const { url } = await upload(fixture, people[0] as Person, pdf)
    store.own.mood = 'works'
    figures[`${kind}, keeps half of a file`] = url === null ? 'refused' : await readBack(fixture, url, pdf)
    if (figures[`${kind}, keeps half of a file`] === 'changed') violations.push('half a file is served as a whole one')
    const keys = (await fixture.sql<{ key: string }[]>`select key from uploads`).map(({ key }) => key)
    const kept = [...store.own.objects.keys()]
    for (const key of keys)
      if (!kept.some((name) => name.endsWith(key))) violations.push(`a row without an object: ${key}`)
  }
  return figures
}

export const guarantee: Guarantee = {
  id: 'R11',
  statement: 'While the storage is away, slow, failing or lying uploads are refused in time, and nothing else suffers',
  async run(context) {
    const { TEST_S3_ENDPOINT } = process.env
    const figures: Figures = {}
    for (const endpoint of TEST_S3_ENDPOINT === undefined ? [undefined] : [undefined, TEST_S3_ENDPOINT]) {
      const store = await openObjectStore(endpoint)
      context.after(() => store.close())
      Object.assign(figures, await tryStorage(context, store))
    }
    return figures
  },
}
