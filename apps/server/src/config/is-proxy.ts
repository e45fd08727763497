import { isIP } from 'node:net'

const NAMED_PROXIES = ['loopback', 'linklocal', 'uniquelocal']
/** Whether TRUST_PROXY accepts the entry: an IP address, a network such as 10.0.0.0/8, or one of the named networks. */
export const isProxy = (entry: string): boolean => {
  const [ip = '', bits, ...rest] = entry.split('/')
  if (NAMED_PROXIES.includes(entry)) return true
  const version = isIP(ip)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}
