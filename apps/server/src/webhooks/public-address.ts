import { promises as dns, type LookupAddress, type LookupOptions } from 'node:dns'
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

/** The name servers of this machine refuse connections. */
export class ResolverUnavailableError extends Error {
  constructor() {
    super('no name server accepts connections')
  }
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Queries the name servers at most twice, for 2 and 4 seconds. Unlike `dns.lookup` it blocks no thread. */
export const createResolver = (): dns.Resolver => new dns.Resolver({ timeout: 2000, tries: 2 })
const LOCAL_NAME = /^(.*\.)?localhost\.?$/i

/** The addresses of a host, IPv4 first. Throws `PrivateAddressError` unless all are public, and the resolver's error if there is none. */
async function resolvePublic(resolver: dns.Resolver, hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
  if (LOCAL_NAME.test(hostname)) throw new PrivateAddressError()
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const [first, ...others] = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  const [failed] = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  if (!first) throw failed?.reason.code === 'ECONNREFUSED' ? new ResolverUnavailableError() : failed?.reason
  if (![first, ...others].every(({ address }) => isPublicAddress(address))) throw new PrivateAddressError()
  return [first, ...others]
}

/**
 * A replacement of `dns.lookup` that fails unless every address of the host is public. The connection is made to the addresses checked
 * here, so a second answer of the name server cannot lead elsewhere. It reads no /etc/hosts.
 */
export function lookupPublic(
  hostname: string,
  options: LookupOptions,
  callback: Callback,
  resolver: dns.Resolver = createResolver(),
): void {
  resolvePublic(resolver, hostname).then(
    (addresses) =>
      options.all ? callback(null, addresses) : callback(null, addresses[0].address, addresses[0].family),
    (error: Error) => callback(error, []),
  )
}
