import { kindOfFile, type LinkKind, findService } from './link-services.ts'

export interface LinkInfo {
  /** The link's name: the last part of its path, or its host. */
  title: string
  host: string
  /** The service it leads to, if known. */
  service: string | null
  /** The kind of content, as far as the URL shows it. */
  kind: LinkKind
}

function lastSegments(url: URL): string | null {
  const parts = url.pathname.split('/').filter((part) => part !== '')
  // The last part of the path, as in `watch?v=…`, means nothing without the query.
  const segments = parts.length === 1 ? `${parts[0]}${url.search}` : parts.slice(-2).join('/')
  try {
    return segments === '' ? null : decodeURIComponent(segments)
  } catch {
    return segments
  }
}

/** Describes a link by its URL alone; nothing is fetched. Null if it is not an http(s) URL. */
export function parseLink(address: string): LinkInfo | null {
  let url: URL
  try {
    url = new URL(address.trim())
  } catch {
    return null
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const host = url.hostname.replace(/^www\./, '')
  const service = findService(host)
  const kind = kindOfFile(url.pathname) ?? service?.kind ?? 'page'
  return { title: lastSegments(url) ?? host, host, service: service?.name ?? null, kind }
}
