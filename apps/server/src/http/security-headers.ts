import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

/** Pages may load same-origin resources only. Styles that scripts set through the CSSOM need no 'unsafe-inline'. */
const PAGE_CSP = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}
export const DOCS_CSP = {
  ...PAGE_CSP,
  // Swagger UI writes style attributes.
  'style-src': ["'self'", "'unsafe-inline'"],
}

/** Sets the security headers and the request id on a response. */
export type SetHeaders = (response: ServerResponse, requestId: string) => void

/** Works on Node's response, so that responses sent before routing, without Fastify's hooks, have the headers too. */
export function createSecurityHeaders(appUrl: string): SetHeaders {
  const setHelmetHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_CSP },
    strictTransportSecurity: appUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // For Internet Explorer and Flash only: 70 bytes on each response.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
  })
  // The headers are the same for every response, so helmet runs once.
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  setHelmetHeaders(request, response, (error) => {
    if (error) throw error
  })
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  const headers = new Map(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]))
  return (target, requestId) => {
    target.setHeaders(headers)
    target.setHeader('x-request-id', requestId)
  }
}

/** Headers that browsers heed on documents only: half a kilobyte on each script, style sheet, font and response to a `fetch`. */
const DOCUMENT_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-frame-options',
  'x-xss-protection',
]

/** Takes the headers that only concern documents off a response. Workers and images in SVG are documents. */
export function removeDocumentHeaders(response: ServerResponse): void {
  for (const name of DOCUMENT_HEADERS) response.removeHeader(name)
}
