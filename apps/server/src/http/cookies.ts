import type { Config } from '../config.ts'

/** The cookie's name, over HTTPS with the prefix `__Host-`, so that no other host can set it. */
export const cookieName = ({ appUrl }: Pick<Config, 'appUrl'>, name: string): string =>
  appUrl.startsWith('https:') ? `__Host-${name}` : name

/** The `Set-Cookie` header of a cookie that scripts cannot read; browsers accept `__Host-` names only with `Secure`. */
export const serializeCookie = (name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${name.startsWith('__Host-') ? '; Secure' : ''}`
