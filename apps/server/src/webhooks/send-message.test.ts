import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import ipaddr from 'ipaddr.js'
import { afterEach, expect, it, vi } from 'vitest'
import { sendMessage } from './send-message.ts'

afterEach(() => vi.restoreAllMocks())

it('connects to the addresses that it checked, without a second lookup', async () => {
  // The name servers change their answer after the check (DNS rebinding). Loopback stands for a public address.
  vi.spyOn(ipaddr.IPv4.prototype, 'range').mockReturnValue('unicast')
  vi.spyOn(dns.Resolver.prototype, 'resolve6').mockRejectedValue(new Error('no IPv6'))
  const resolve4 = vi
    .spyOn(dns.Resolver.prototype, 'resolve4')
    .mockResolvedValue(['127.0.0.2'] as never)
    .mockResolvedValueOnce(['127.0.0.1'] as never)
  const reached: (string | undefined)[] = []
  const receiver = createServer((socket) => {
    reached.push(socket.localAddress)
    socket.destroy()
  }).listen(0, '0.0.0.0')
  await once(receiver, 'listening')
  const url = `https://hooks.example:${(receiver.address() as AddressInfo).port}/`
  const stopping = new AbortController().signal
  await expect(sendMessage({ url, headers: {}, body: '{}' }, { isPrivateAllowed: false, stopping })).rejects.toThrow()
  receiver.close()
  expect(reached).toEqual(['127.0.0.1'])
  expect(resolve4).toHaveBeenCalledTimes(1)
})

it('fails without a response in time', async () => {
  const receiver = createServer().listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const options = { isPrivateAllowed: true, stopping: new AbortController().signal, timeoutMs: 50 }
  const error = await sendMessage({ url, headers: {}, body: '{}' }, options).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ cause: { name: 'TimeoutError' } })
  receiver.close()
})
