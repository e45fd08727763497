import { codesOf, isDatabaseUnavailable, parseDatabaseUrl } from '@community/db'
import type { ConfigError } from '../config.ts'
import { describeError, unavailableService, unusableSetting } from './setting-errors.ts'

export const VERSION_MIN = 15

const NO_POOLER_ADVICE = {
  DATABASE_URL: 'name the server itself, or set DATABASE_POOLER',
  DATABASE_DIRECT_URL: 'name the server itself, not a pooler',
  DATABASE_REPLICA_URL: 'name the server itself, not a pooler',
}

/** A setting that names a database. */
export interface DatabaseSetting {
  name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_REPLICA_URL'
  url: string
}

/** Maps error codes of PostgreSQL and the system to an error about the setting; null for other errors. */
export function toSettingError(error: unknown, { name, url }: DatabaseSetting): ConfigError | null {
  const { hosts, first } = parseDatabaseUrl(url)
  const { hostname, pathname, username } = first
  const server = hosts.map((host) => (/:\d+$/.test(host) ? host : `${host}:${first.port || 5432}`)).join(', ')
  const [database, user] = [decodeURIComponent(pathname.slice(1)) || username, decodeURIComponent(username)]
  const hasCode = (...codes: string[]) => codesOf(error).some((code) => codes.includes(code))
  const unusable = (problem: string) => unusableSetting(name, problem)
  const unavailable = (problem: string) => unavailableService(name, problem)
  if (hasCode('ENOTFOUND') && hosts.length === 1) return unusable(`unknown host ${hostname}: correct the address`)
  if (hasCode('28P01', '28000'))
    return unusable(`the PostgreSQL at ${server} refuses the user "${user}": correct the user or the password`)
  if (hasCode('3D000'))
    return unusable(`the PostgreSQL at ${server} has no database "${database}": create it, or name another`)
  if (hasCode('42501'))
    return unusable(
      `the user "${user}" may not create what the product needs in the database "${database}" (${describeError(error)}): let them own it, or grant them CREATE on it and on its schema public`,
    )
  if (hasCode('25006')) return unusable(`the database "${database}" at ${server} is read-only: name the primary server`)
  if (hasCode('58P01', '0A000'))
    return unusable(
      `the PostgreSQL at ${server} lacks an extension (${describeError(error)}): install PostgreSQL's contrib package`,
    )
  if (hasCode('08P01') && /startup parameter/.test(describeError(error)))
    return unusable(
      `what answers at ${server} refuses a session's settings (${describeError(error)}): ${NO_POOLER_ADVICE[name]}`,
    )
  if (hasCode('08P01') && /authentication|no such|does not exist/.test(describeError(error)))
    return unusable(`the pooler at ${server} refuses the connection (${describeError(error)}): correct the URL`)
  if (hasCode('53300')) return unavailable(`the PostgreSQL at ${server} has no free connection for the user "${user}"`)
  if (hasCode('57P03')) return unavailable(`the PostgreSQL at ${server} is not ready (${describeError(error)})`)
  if (isDatabaseUnavailable(error))
    return unavailable(
      `no PostgreSQL answers at ${server} (${codesOf(error)[0] ?? 'no answer in time'}): start it there, or correct the address`,
    )
  return null
}

export const unusableDatabaseUrl = ({ name }: Pick<DatabaseSetting, 'name'>, error: unknown): ConfigError =>
  unusableSetting(
    name,
    `cannot be used (${describeError(error)}); it must lead to a PostgreSQL ${VERSION_MIN} or newer, such as postgres://user:password@host:5432/community`,
  )
