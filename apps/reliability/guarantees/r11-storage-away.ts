import { randomBytes } from 'node:crypto'
import { median } from '@community/testing'
import { type ObjectStore, openObjectStore } from '@community/testing/object-store'
import { type Figures, type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { download, upload } from '../harness/files.ts'
import { timeCalls } from '../harness/load.ts'

/** Milliseconds: below the ten seconds of the client timeout. */
const UPLOADS_WITHIN = 8000

interface Fault {
  name: string
  set(store: ObjectStore, isOn: boolean): void
  /** The status of an upload during the fault. */
  expected: 503 | 201
}

const NETWORK_FAULTS: Fault[] = [
  {
    name: 'away',
    set({ network }, isOn) {
      network.isRefusing = isOn
      if (isOn) network.reset()
    },
    expected: 503,
  },
  {
    name: 'silent',
    set({ network }, isOn) {
      network.isSilent = isOn
      // Bytes swallowed by the fault are never answered.
      if (!isOn) network.reset()
    },
    expected: 503,
  },
  { name: 'slow', set: ({ network }, isOn) => (network.delay = isOn ? 300 : 0), expected: 201 },
]

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
  const ownFaults: Fault[] = fake
    ? [{ name: 'failing', set: (_, isOn) => (fake.behaviour = isOn ? 'fails' : 'works'), expected: 503 }]
    : []

  for (const { name, set, expected } of [...NETWORK_FAULTS, ...ownFaults]) {
    const before = await keysStored()
    set(store, true)
    const uploading = Promise.all(members.map((member) => upload(server, member, pdf)))
    const other = await callOthers()
    const uploaded = await uploading
    const health = await client.call('GET /health')
    set(store, false)
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
