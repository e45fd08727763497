import type { Config } from '../config.ts'

/** The name of a cookie: over HTTPS with the prefix `__Host-`, so that no other host can set it. */
export const cookieName = ({ appUrl }: Pick<Config, 'appUrl'>, name: string): string =>
  appUrl.startsWith('https:') ? `__Host-${name}` : name
