import { kindOfFile, type LinkKind, findService } from './link-services.ts'

export interface LinkInfo {
  /** What the link is called: the last words of its path, or its host. */
  title: string
  host: string
  /** The service it leads to, where we know it. */
  service: string | null
  /** What is behind it, as far as its address says. */
  kind: LinkKind
}

function lastSegments(url: URL): string | null {
  const parts = url.pathname.split('/').filter((part) => part !== '')
  // A single word as in `watch?v=…` says nothing without what follows it.
  const segments = parts.length === 1 ? `${parts[0]}${url.search}` : parts.slice(-2).join('/')
  try {
    return segments === '' ? null : decodeURIComponent(segments)
  } catch {
    return segments
  }
}

/** How to show an address: nothing of it is fetched. Null for what is no http(s) address. */
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
