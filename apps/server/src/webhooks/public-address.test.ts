import { createSocket, type RemoteInfo } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { addressInUrl, createResolver, isPublicAddress, lookupPublic, PrivateAddressError } from './public-address.ts'

it.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fe80::1',
  'fc00::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

it.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

it.each([
  ['https://127.0.0.1/x', '127.0.0.1'],
  // URL parsers accept other spellings of IP addresses.
  ['https://2130706433/', '127.0.0.1'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://[::1]:8443/', '::1'],
  ['https://hooks.example/', undefined],
])('the address in %s is %s', (url, address) => expect(addressInUrl(new URL(url))).toBe(address))

it.each([true, false])('the lookup of a host with a private address fails (all: %s)', async (all) => {
  const error = await new Promise((resolve) => lookupPublic('localhost', { all }, resolve))
  expect(error).toBeInstanceOf(PrivateAddressError)
})

const openSockets = new Set<ReturnType<typeof createSocket>>()
afterEach(() => {
  for (const socket of openSockets) socket.close()
  openSockets.clear()
})

/** A resolver whose name server answers every query with these addresses, or never if the list is empty. */
async function resolverOf(addresses: string[]): Promise<dns.Resolver> {
  const server = createSocket('udp4')
  openSockets.add(server)
  server.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    if (addresses.length === 0) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const isIpv4 = question.readUInt16BE(question.length - 4) === 1
    const answers = (isIpv4 ? addresses : []).map((ip) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...ip.split('.').map(Number)]),
    )
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0])
    server.send(Buffer.concat([head, question, ...answers]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const resolver = createResolver()
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  return resolver
}
const lookUp = async (resolver: dns.Resolver) =>
  new Promise((resolve) =>
    lookupPublic('hooks.example', { all: true }, (error, addresses) => resolve(error ?? addresses), resolver),
  )

it('returns the addresses of the name server only if all are public', async () => {
  expect(await lookUp(await resolverOf(['8.8.8.8', '93.184.215.14']))).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '93.184.215.14', family: 4 },
  ])
  expect(await lookUp(await resolverOf(['8.8.8.8', '10.0.0.1']))).toBeInstanceOf(PrivateAddressError)
})

it('gives up on a name server that does not respond, without delaying other lookups', async () => {
  const resolver = await resolverOf([])
  let answered = 0
  const hanging = Promise.all(Array.from({ length: 12 }, () => lookUp(resolver).finally(() => answered++)))
  await dns.lookup('localhost')
  expect(answered).toBe(0)
  for (const error of await hanging) expect(error).toMatchObject({ code: 'ETIMEOUT' })
}, 15_000)
