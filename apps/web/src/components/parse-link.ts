import { kindOfFile, type LinkKind, findService, type Service, TITLE_RULES } from './link-services.ts'

interface LinkInfo {
  /** The name in its path, the service if the path has only ids, or the host without a path. */
  title: string
  host: string
  /** The service it leads to, if known. */
  service: string | null
  /** The kind of content, inferred from the URL. */
  kind: LinkKind
}

function titleFromPath(url: URL, service: Service | null): string | null {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (segments.length === 0) return null
  const rule = service && TITLE_RULES[service.name]
  // The query names the page where the path has one segment, as in `index.php?page=2`.
  const end = segments.length === 1 ? `${segments[0]}${url.search}` : segments.slice(-2).join('/')
  const title = rule ? (rule(segments) ?? service.name) : end
  try {
    return decodeURIComponent(title)
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
  return { title: titleFromPath(url, service) ?? host, host, service: service?.name ?? null, kind }
}
