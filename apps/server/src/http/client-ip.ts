import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { KeyedLimit, Limit } from './rate-limits.ts'

const BRACKETED = /^\[([^\]]+)\](?::\d{1,5})?$/
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/

/** The IP address of an `X-Forwarded-For` entry, without port, brackets and zone; undefined when it is not an address. */
export function parseForwardedEntry(entry: string): string | undefined {
  const bare = BRACKETED.exec(entry)?.[1] ?? IPV4_WITH_PORT.exec(entry)?.[1] ?? entry
  const [ip = ''] = bare.split('%')
  return isIP(ip) === 0 ? undefined : ip
}

/**
 * Rewrites `X-Forwarded-For` to plain IP addresses, the only form that Fastify compares with its trusted proxies. Drops an invalid entry
 * and those before it: the client's IP address is then that of the proxy which added the next one.
 */
export function normalizeForwardedFor({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const header = headers['x-forwarded-for']
  if (header === undefined) return
  const entries = String(header)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const addresses = entries.map(parseForwardedEntry)
  const valid = addresses.slice(addresses.lastIndexOf(undefined) + 1)
  if (valid.length > 0) headers['x-forwarded-for'] = valid.join(', ')
  else delete headers['x-forwarded-for']
}

const networkOf = (address: ipaddr.IPv6, bits: 48 | 64): string => {
  const groups = address.parts.slice(0, bits / 16).map((group) => group.toString(16))
  return `${groups.join(':')}::/${bits}`
}

/** A parsed IP address, IPv4-mapped IPv6 as IPv4; undefined when it is not an address. */
const parse = (ip: string) => (isIP(ip) === 0 ? undefined : ipaddr.process(ip))

/** The rate limit key of an IP address. IPv6 counts by its /64, because one client owns all of it. */
export function ipKey(ip: string): string {
  const parsed = parse(ip)
  if (!parsed) return 'unknown'
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 64) : parsed.toString()
}

/** The key of an IP address's site: its /48 for IPv6, the address itself for IPv4. */
export function siteKey(ip: string): string {
  const parsed = parse(ip)
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 48) : ipKey(ip)
}

/** The limit of an IPv6 /48 as a multiple of a /64's. A /48 is a site of many subnets, or one person with 65,536 of them. */
export const SITE_FACTOR = 10

/** The keyed limits of an IP address: one for IPv4; for IPv6 one of the /64 and a wider one of the /48. */
export function limitsPerIp(name: string, ip: string, { max, seconds }: Limit): KeyedLimit[] {
  const own = { key: `${name}:${ipKey(ip)}`, max, seconds }
  const parsed = parse(ip)
  if (!(parsed instanceof ipaddr.IPv6)) return [own]
  return [own, { key: `${name}:${networkOf(parsed, 48)}`, max: SITE_FACTOR * max, seconds }]
}
