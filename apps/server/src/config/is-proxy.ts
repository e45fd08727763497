import { isIP } from 'node:net'

const NAMED_PROXIES = ['loopback', 'linklocal', 'uniquelocal']
/** Whether it is an address, a network or a name of networks that TRUST_PROXY takes. */
export const isProxy = (entry: string): boolean => {
  const [ip = '', bits, ...rest] = entry.split('/')
  if (NAMED_PROXIES.includes(entry)) return true
  const version = isIP(ip)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}
