import { createServer, connect as connectSocket, type AddressInfo, type Server } from 'node:net'
import type postgres from 'postgres'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '@community/testing/database'
import { type FaultyNetwork, openFaultyNetwork } from '@community/testing/database/faulty-network'
import { connect, type Connection, isDatabaseUnavailable, parseDatabaseUrl } from '../src/index.ts'

let networks: FaultyNetwork[]
let pool: Connection | undefined
const database = await createTestDatabase()
afterAll(() => database.drop())
beforeEach(async () => {
  const port = Number(new URL(database.url).port)
  networks = [await openFaultyNetwork(port), await openFaultyNetwork(port)]
})
afterEach(async () => {
  await pool?.sql.end({ timeout: 0 })
  for (const network of networks) network.close()
})

const urlOf = (...ports: number[]) =>
  database.url.replace(new URL(database.url).host, ports.map((port) => `127.0.0.1:${port}`).join(','))
const open = (...ports: number[]) => (pool = connect(urlOf(...ports), { max: 1 })).sql
const pidOf = async (sql: postgres.Sql) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
/** Retries twice, because statements fail that were on the lost connection or came before it was closed. */
const pidAfterLoss = (sql: postgres.Sql) =>
  pidOf(sql)
    .catch(() => pidOf(sql))
    .catch(() => pidOf(sql))

/** A proxy that makes the server look like a standby. */
async function openStandby(): Promise<Server> {
  const target = Number(new URL(database.url).port)
  const proxy = createServer((client) => {
    const server = connectSocket(target, '127.0.0.1')
    client.pipe(server)
    server.on('data', (bytes) => {
      const text = bytes
        .toString('latin1')
        .replace(
          /S\0\0\0(.)in_hot_standby\0off\0/,
          (_, length: string) => `S\0\0\0${String.fromCharCode(length.charCodeAt(0) - 1)}in_hot_standby\0on\0`,
        )
      client.write(Buffer.from(text, 'latin1'))
    })
    for (const side of [client, server])
      side.on('error', () => {}).on('close', () => (client.destroy(), server.destroy()))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}

describe('a URL of several hosts', () => {
  it.each([
    ['postgres://app:p%40w@a:1,b:2/community', ['a:1', 'b:2']],
    ['postgresql://a,b,c/community?target_session_attrs=any', ['a', 'b', 'c']],
    ['postgres://app@127.0.0.1/community', ['127.0.0.1']],
  ])('%s is parsed', (url, hosts) => {
    expect(parseDatabaseUrl(url).hosts).toEqual(hosts)
    expect(parseDatabaseUrl(url).first.pathname).toBe('/community')
  })
  it.each(['postgres://a:1,b:x/community', 'postgres://a:99999,b/x', 'a,b'])('%s is rejected', (url) =>
    expect(() => parseDatabaseUrl(url)).toThrow(TypeError),
  )

  it('leads to the host that accepts writes, in any order', async () => {
    const standby = await openStandby()
    const { port } = standby.address() as AddressInfo
    const primary = networks[0]?.port ?? 0
    for (const ports of [
      [port, primary],
      [primary, port],
    ]) {
      const sql = open(...ports)
      await sql`select 1`
      expect(sql.options.host.length).toBe(2)
      expect(await sql`select current_setting('transaction_read_only') as mode`).toEqual([{ mode: 'off' }])
      await sql.end()
    }
    const standbysOnly = open(port, port)
    await expect(standbysOnly`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
    await standbysOnly.end()
    standby.close()
  })

  it('fails at once when none listens', async () => {
    const sql = open(1, 2)
    const startedAt = performance.now()
    await expect(sql`select 1`).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(performance.now() - startedAt).toBeLessThan(500)
  })

  it('moves on from a host that is silent', async () => {
    const [silent, other] = networks as [FaultyNetwork, FaultyNetwork]
    silent.isSilent = true
    const sql = open(silent.port, other.port)
    const startedAt = performance.now()
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })

  it('moves on from a host that was lost, and stays with the next', async () => {
    const [first, second] = networks as [FaultyNetwork, FaultyNetwork]
    const sql = open(first.port, second.port)
    await sql`select 1`
    first.isRefusing = true
    first.reset()
    const pid = await pidAfterLoss(sql)
    first.isRefusing = false
    expect(await pidOf(sql)).toBe(pid)
    second.isRefusing = true
    second.reset()
    expect(await pidAfterLoss(sql)).not.toBe(pid)
  })

  it('drops the connection to a server that becomes read-only', async () => {
    const sql = open(...networks.map(({ port }) => port))
    const pid = await pidOf(sql)
    await sql`set default_transaction_read_only = on`
    const write = sql`insert into audit_log default values`
    await expect(write).rejects.toMatchObject({ code: '25006' })
    await expect(write).rejects.toSatisfy(isDatabaseUnavailable)
    expect(await pidOf(sql)).not.toBe(pid)
    expect(await sql`select current_setting('transaction_read_only') as mode`).toEqual([{ mode: 'off' }])
  })

  it('drops such a connection after a transaction too', async () => {
    const sql = open(...networks.map(({ port }) => port))
    const pid = await pidOf(sql)
    await sql`set default_transaction_read_only = on`
    const write = sql.begin((tx) => tx`insert into audit_log default values`)
    await expect(write).rejects.toMatchObject({ code: '25006' })
    expect(await pidOf(sql)).not.toBe(pid)
  })
})
