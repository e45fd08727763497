import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

/** What the app's pages may load: themselves only. Styles set by script go through the CSSOM, which needs no permission. */
const PAGE_CSP = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ["'self'"],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'frame-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'object-src': ["'none'"],
}
export const DOCS_CSP = {
  ...PAGE_CSP,
  // Swagger UI writes style attributes; it runs on its own pages only.
  'style-src': ["'self'", "'unsafe-inline'"],
}

/** Sets the headers that every answer carries, and the name of its request. */
export type SetHeaders = (response: ServerResponse, requestId: string) => void

/** On the plain response and not through a hook: answers that are given before there is a route carry them too. */
export function createSecurityHeaders(appUrl: string): SetHeaders {
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_CSP },
    strictTransportSecurity: appUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  })
  // The same for every answer: asked for once.
  const request = new IncomingMessage(new Socket())
  const example = new ServerResponse(request)
  protect(request, example, (error) => {
    if (error) throw error
  })
  example.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  const headers = new Map(example.getHeaderNames().map((name) => [name, String(example.getHeader(name))]))
  return (response, requestId) => {
    response.setHeaders(headers)
    response.setHeader('x-request-id', requestId)
  }
}
