import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an IP address belongs to the public internet: not to this machine, a private network or a reserved range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6)
}

/** The IP address that a URL names, without brackets; undefined for a host name. */
export const addressInUrl = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? host : undefined
}

export class PrivateAddressError extends Error {
  constructor() {
    super('the address is not public')
  }
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * A replacement of `dns.lookup` that fails unless every address of the host is public. The connection is made to the addresses checked
 * here, so a second answer of the name server cannot lead elsewhere.
 */
export function lookupPublic(hostname: string, options: LookupOptions, callback: Callback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new PrivateAddressError(), [])
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}
