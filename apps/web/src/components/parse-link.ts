import { kindOfFile, type LinkKind, findService } from './link-services.ts'

export interface LinkInfo {
  /** The last two segments of its path, a single one with the query, or its host. */
  title: string
  host: string
  /** The service it leads to, if known. */
  service: string | null
  /** The kind of content, inferred from the URL. */
  kind: LinkKind
}

function titleFromPath(url: URL): string | null {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  // The query names the page where the path has one segment, as in `watch?v=…`.
  const title = segments.length === 1 ? `${segments[0]}${url.search}` : segments.slice(-2).join('/')
  try {
    return title === '' ? null : decodeURIComponent(title)
  } catch {
    return title
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
  return { title: titleFromPath(url) ?? host, host, service: service?.name ?? null, kind }
}
