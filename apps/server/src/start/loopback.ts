import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a host name or IP address, also in brackets, is a loopback address. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const version = isIP(bare)
  return version === 0 ? bare === 'localhost' : loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6')
}
