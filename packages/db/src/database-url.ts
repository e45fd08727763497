/**
 * A pooler in transaction mode between the pool and PostgreSQL. `transaction` supports no named statements, `transaction-prepared` does,
 * such as PgBouncer 1.21 or newer with `max_prepared_statements`.
 */
export const POOLERS = ['transaction', 'transaction-prepared'] as const
export type Pooler = (typeof POOLERS)[number]

interface DatabaseUrl {
  /** Each with its port, if it has one. */
  hosts: string[]
  /** The URL with the first host only: `URL` knows no lists of hosts. */
  first: URL
}

/** Parses a URL that may list several hosts, such as `postgres://user@a:5432,b:5432/community`. Throws TypeError as `URL` does. */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
  const list = authority.slice(authority.lastIndexOf('@') + 1)
  const hosts = list.split(',')
  const [first] = hosts.map((host) => new URL(url.replace(list, host)))
  return { hosts, first: first ?? new URL(url) }
}

/** The driver's options for the URL's hosts. Of several it uses one of this kind, unless the URL says otherwise. */
export function hostOptions(url: string, connectTimeout: number, kind: 'read-write' | 'standby' = 'read-write') {
  const { hosts, first } = parseDatabaseUrl(url)
  // Divided, so that a host that is silent leaves time for the others.
  const connect_timeout = hosts.length > 1 ? Math.max(0.7, connectTimeout / hosts.length) : connectTimeout
  const needsKind = hosts.length > 1 && !first.searchParams.has('target_session_attrs')
  return { connect_timeout, ...(needsKind && { target_session_attrs: kind }) }
}
