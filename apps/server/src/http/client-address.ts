import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { KeyedLimit, Limit } from './rate-limits.ts'

const IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/

/** The bare address of an `X-Forwarded-For` entry, without port, brackets and zone; undefined when it names none. */
export function parseForwardedEntry(entry: string): string | undefined {
  const bare = IN_BRACKETS.exec(entry)?.[1] ?? IPV4_WITH_PORT.exec(entry)?.[1] ?? entry
  const [address = ''] = bare.split('%')
  return isIP(address) === 0 ? undefined : address
}

/**
 * Rewrites `X-Forwarded-For` to bare addresses, which are all that Fastify compares with its trusted proxies. An unreadable entry
 * and everything before it are dropped: the client then counts as the last proxy that named itself.
 */
export function normalizeForwardedFor({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const header = headers['x-forwarded-for']
  if (header === undefined) return
  const entries = String(header)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const addresses = entries.map(parseForwardedEntry)
  const known = addresses.slice(addresses.lastIndexOf(undefined) + 1)
  if (known.length > 0) headers['x-forwarded-for'] = known.join(', ')
  else delete headers['x-forwarded-for']
}

const networkOf = (address: ipaddr.IPv6, bits: 48 | 64): string => {
  const groups = address.parts.slice(0, bits / 16).map((group) => group.toString(16))
  return `${groups.join(':')}::/${bits}`
}

/** An address of either family; undefined when it is none. An IPv6 form of an IPv4 address is that IPv4 address. */
const parse = (address: string) => (isIP(address) === 0 ? undefined : ipaddr.process(address))

/** What an address counts under: IPv6 by its /64, of which one client has all addresses. */
export function addressKey(address: string): string {
  const parsed = parse(address)
  if (!parsed) return 'unknown'
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 64) : parsed.toString()
}

/** The site that an address belongs to: of IPv6 the /48; an IPv4 address is one by itself. */
export function siteKey(address: string): string {
  const parsed = parse(address)
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 48) : addressKey(address)
}

/** How many times the limit of a /64 its /48 has: a site of many subnets, or one person with 65,536 of them. */
export const SITE_FACTOR = 10

/** The counters of one limit for one address: two for IPv6, the /64 and the wider /48. */
export function limitsOfAddress(name: string, address: string, { max, seconds }: Limit): KeyedLimit[] {
  const own = { key: `${name}:${addressKey(address)}`, max, seconds }
  const parsed = parse(address)
  if (!(parsed instanceof ipaddr.IPv6)) return [own]
  return [own, { key: `${name}:${networkOf(parsed, 48)}`, max: SITE_FACTOR * max, seconds }]
}
