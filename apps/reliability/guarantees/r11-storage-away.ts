import { randomBytes } from 'node:crypto'
import { median } from '@community/testing'
import type { FaultyNetwork } from '@community/testing/database/faulty-network'
import { type ObjectStore, openObjectStore } from '@community/testing/object-store'
import { type Figures, type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { download, upload } from '../harness/files.ts'
import { timeCalls } from '../harness/load.ts'

/** Milliseconds: below the ten seconds of the client timeout. */
const UPLOADS_WITHIN = 8000

/** Faults of the network, or `fails` for one of the storage itself; and the status of an upload meanwhile. */
const FAULTS: [name: string, fault: Parameters<FaultyNetwork['begin']>[0] | 'fails', expected: 503 | 201][] = [
  ['away', { isRefusing: true }, 503],
  ['silent', { isSilent: true }, 503],
  ['slow', { delay: 300 }, 201],
  ['failing', 'fails', 503],
]

/** Begins a fault; returns a function that ends it. */
function begin({ network, fake }: ObjectStore, fault: (typeof FAULTS)[number][1]): () => void {
  if (fault === 'fails') {
    if (fake) fake.behaviour = fault
    return () => fake && (fake.behaviour = 'works')
  }
  const end = network.begin(fault)
  if (fault.isRefusing) network.reset()
  return () => {
    end()
    // Bytes swallowed by the fault are never answered.
    if (fault.isSilent) network.reset()
  }
}

/** Every fault, one after the other, on one storage. */
async function tryStorage(context: GuaranteeContext, store: ObjectStore): Promise<Figures> {
  const { byTier, expect, expectWithin, openFixture } = context
  const figures: Figures = {}
  const uploads = byTier({ short: 3, full: 8, long: 20 })
  // How much slower other calls may be; generous, because other work shares the machine.
  const slower = byTier({ short: 2.5, full: 1.5 })
  const { fake, settings } = store
  const kind = fake ? 'own' : 'real'
  const { client, createMembers, server, sql } = await openFixture({ settings })
  const bytes = randomBytes(byTier({ short: 20_000, full: 500_000, long: 1_000_000 }))
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes, Buffer.from('\n%%EOF\n')])
  const members = await createMembers(uploads)
  const uploadOne = () => upload(server, members[0] ?? { token: '' }, pdf)
  const keysStored = async () => (await sql<{ key: string }[]>`select key from uploads`).map(({ key }) => key)
  const callOthers = async () => median(await timeCalls(context, client, 40))
  const usual = await callOthers()
  // Only the network of a real storage can fail.
  for (const [name, fault, expected] of FAULTS.filter(([, item]) => fake || item !== 'fails')) {
    const before = await keysStored()
    const end = begin(store, fault)
    const uploading = Promise.all(members.map((member) => upload(server, member, pdf)))
    const other = await callOthers()
    const uploaded = await uploading
    const health = await client.call('GET /health')
    end()
    const statuses = uploaded.map(({ status }) => status)
    const slowest = Math.max(...uploaded.map(({ took }) => took))
    figures[`${kind}, ${name}`] =
      `uploads ${expected} within ${inMs(slowest)}, other calls ${(other / usual).toFixed(2)} times the usual`
    const areExpected = statuses.every((status) => status === expected)
    expect(areExpected, `${name}: uploads were answered ${statuses.join(', ')}`)
    expectWithin(UPLOADS_WITHIN, slowest, `${name}: an upload`)
    expect(other <= usual * slower + 10, `${name}: other calls took ${inMs(other)} instead of ${inMs(usual)}`)
    expect(health.status === 200, `${name}: the readiness call answers ${health.status}`)
    expect(expected === 201 || health.body?.data?.storage === 'down', `${name}: health does not report it`)
    const added = (await keysStored()).length - before.length
    expect(added === (expected === 201 ? uploads : 0), `${name}: rows were written for files that are not there`)
    const after = await uploadOne()
    const isWhole = after.path !== null && (await download(server, after.path))?.equals(pdf)
    expect(after.status === 201 && isWhole === true, `${name}: afterwards an upload is answered ${after.status}`)
  }
  if (fake) {
    fake.behaviour = 'truncates'
    const { path } = await uploadOne()
    fake.behaviour = 'works'
    const read = path === null ? null : await download(server, path)
    figures[`${kind}, keeps half of a file`] = read === null ? 'refused' : 'whole'
    expect(read === null || read.equals(pdf), 'half a file is served as a whole one')
    const names = [...fake.objects.keys()]
    const lost = (await keysStored()).filter((key) => !names.some((name) => name.endsWith(key)))
    expect(lost.length === 0, `rows without an object: ${lost.join(', ')}`)
  }
  return figures
}

export const guarantee: Guarantee = {
  id: 'R11',
  statement:
    'While the storage is down, slow, failing or inconsistent, uploads are rejected in time and nothing else is affected',
  async run(context) {
    const { TEST_S3_ENDPOINT } = process.env
    const figures: Figures = {}
    for (const endpoint of TEST_S3_ENDPOINT === undefined ? [undefined] : [undefined, TEST_S3_ENDPOINT]) {
      const store = await openObjectStore(endpoint)
      context.onFinished(() => store.close())
      Object.assign(figures, await tryStorage(context, store))
    }
    return figures
  },
}
