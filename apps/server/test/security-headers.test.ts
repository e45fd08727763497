import { fileForm, PASSWORD } from '@community/testing'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { readWebFiles } from '../src/http/static-files.ts'
import { pdf } from './sample-files.ts'
import { openTestServer } from './test-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
await mkdir(path.join(folder, 'assets'))
await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Community</title>')
await writeFile(path.join(folder, 'assets/index-a1b2c3d4.js'), 'document.title')
await writeFile(path.join(folder, 'assets/worker-sum-a1b2c3d4.js'), 'postMessage(1)')
const web = await readWebFiles(folder, { appName: 'Community', appUrl: 'https://community.example' })
const server = await openTestServer({ APP_URL: 'https://community.example' })
const app = await buildApp(server.deps, { web })
const fail = () => Promise.reject(new Error('password=hunter2 at /srv/db.ts'))
const passwords = { ...server.deps.passwords, hash: fail, verify: fail }
const failingApp = await buildApp({ ...server.deps, passwords }, { web })
const member = await server.createMember()
const sent = await server.rest(member)('POST /upload/single', fileForm('file', pdf(2000), 'a.pdf'))
const file = new URL(sent.body.data.file.secureUrl).pathname
afterAll(async () => {
  await failingApp.close()
  await app.close()
  await server.close()
})

const bearer = () => ({ authorization: `Bearer ${member.token}` })
const json = { 'content-type': 'application/json' }
const login = (email = member.email) => JSON.stringify({ email, password: PASSWORD })

type Policy = 'page' | 'plain page' | 'docs' | 'file'
interface ResponseCase {
  status: number
  url: string | (() => string)
  method?: string
  headers?: () => Record<string, string>
  payload?: () => string
  policy?: Policy
  /** Whether caches may store it: hashed files and public ones. */
  isCacheable?: boolean
  /** Whether the client may store it and must revalidate it. */
  isRevalidated?: boolean
  /** Whether no browser treats it as a document. */
  isSubresource?: boolean
  /** The number of cookies it sets. */
  cookies?: number
  hasFailingHash?: boolean
  /** Whether pages of other origins may read it. */
  isPublic?: boolean
}

/** One response of each kind. */
const RESPONSES: Record<string, ResponseCase> = {
  'a REST response': { status: 200, url: '/api/teams', isPublic: true, isRevalidated: true },
  'a private REST response': { status: 200, url: '/api/users/profile', headers: () => bearer() },
  'a tRPC response': { status: 200, url: '/trpc/roles.list' },
  'a tRPC response to a page': {
    status: 200,
    url: '/trpc/roles.list',
    headers: () => ({ 'sec-fetch-dest': 'empty' }),
    isSubresource: true,
  },
  'a tRPC response in a tab': {
    status: 200,
    url: '/trpc/roles.list',
    headers: () => ({ 'sec-fetch-dest': 'document' }),
  },
  'a sign-in response': {
    status: 200,
    url: '/api/auth/login',
    method: 'POST',
    headers: () => json,
    payload: () => login(),
    cookies: 1,
  },
  'a HEAD response': { status: 200, url: '/api/teams', method: 'HEAD', isPublic: true, isRevalidated: true },
  'the OpenAPI document': { status: 200, url: '/api/openapi.json', isPublic: true, isCacheable: true },
  'the health check': { status: 200, url: '/api/health/live', isPublic: true },
  'invalid input': { status: 400, url: '/api/teams?limit=101', isPublic: true },
  'a malformed URL': { status: 400, url: '/api/%zz' },
  'a private route without a token': { status: 401, url: '/api/users/profile' },
  'an unknown token': {
    status: 401,
    url: '/api/teams',
    headers: () => ({ authorization: `Bearer ${'x'.repeat(40)}` }),
    isPublic: true,
  },
  'a forbidden route': { status: 403, url: '/api/admin/stats', headers: bearer },
  'a cross-site request': {
    status: 403,
    url: '/api/auth/login',
    method: 'POST',
    headers: () => ({ ...json, 'sec-fetch-site': 'cross-site' }),
    payload: () => login(),
  },
  'an unknown page': { status: 404, url: '/nope' },
  'an unknown page in a browser': {
    status: 404,
    url: '/nope',
    headers: () => ({ accept: 'text/html' }),
    policy: 'plain page',
  },
  'an unknown REST route': { status: 404, url: '/api/nope' },
  'an unknown procedure': { status: 404, url: '/trpc/no.such' },
  'an unknown asset': { status: 404, url: '/assets/nope.js' },
  'an unknown file': { status: 404, url: '/files/nope/a.pdf' },
  'an unknown file of the docs': { status: 404, url: '/api/docs/static/nope.png', policy: 'docs' },
  'a path traversal': { status: 404, url: '/assets/..%2f..%2fpackage.json' },
  'the wrong method for a procedure': { status: 405, url: '/trpc/auth.login' },
  'a body that is too large': {
    status: 413,
    url: '/api/auth/login',
    method: 'POST',
    headers: () => json,
    payload: () => login('x'.repeat(70_000)),
  },
  'a tRPC body that is too large': {
    status: 413,
    url: '/trpc/auth.login',
    method: 'POST',
    headers: () => json,
    payload: () => login('x'.repeat(70_000)),
  },
  'a file that is too large': {
    status: 413,
    url: '/api/upload/single',
    method: 'POST',
    headers: () => ({ ...bearer(), 'content-type': 'multipart/form-data; boundary=b', 'content-length': '99999999' }),
    payload: () => '',
  },
  'a wrong content type': {
    status: 415,
    url: '/api/auth/login',
    method: 'POST',
    headers: () => ({ 'content-type': 'text/plain' }),
    payload: () => login(),
  },
  'an unexpected error': {
    status: 500,
    url: '/api/auth/login',
    method: 'POST',
    headers: () => json,
    payload: () => login(),
    hasFailingHash: true,
  },
  'an unexpected error over tRPC': {
    status: 500,
    url: '/trpc/auth.login',
    method: 'POST',
    headers: () => json,
    payload: () => login(),
    hasFailingHash: true,
  },
  'the page': { status: 200, url: '/', isCacheable: true },
  'the page for a mailed code': {
    status: 200,
    url: '/auth/google-otp?email=a%40b.ma&name=%3Cscript%3E',
    isCacheable: true,
  },
  'a script of the page': { status: 200, url: '/assets/index-a1b2c3d4.js', isCacheable: true, isSubresource: true },
  'a worker of the page': { status: 200, url: '/assets/worker-sum-a1b2c3d4.js', isCacheable: true },
  'an external sign-in that is not configured': { status: 404, url: '/auth/google' },
  'the docs': { status: 200, url: '/api/docs/', policy: 'docs', isCacheable: true },
  'a style sheet of the docs': {
    status: 200,
    url: '/api/docs/static/swagger-ui.css',
    policy: 'docs',
    isCacheable: true,
  },
  'a file': { status: 200, url: () => file, policy: 'file', isCacheable: true },
  'a range of a file': {
    status: 206,
    url: () => file,
    headers: () => ({ range: 'bytes=0-9' }),
    policy: 'file',
    isCacheable: true,
  },
  'an unsatisfiable range': {
    status: 416,
    url: () => file,
    headers: () => ({ range: 'bytes=9999-' }),
  },
}

function request({ url, method = 'GET', headers, payload, hasFailingHash = false }: ResponseCase) {
  const body = payload?.()
  return (hasFailingHash ? failingApp : app).inject({
    // Cast, because methods are strings here.
    method: method as 'GET',
    url: typeof url === 'string' ? url : url(),
    headers: headers?.() ?? {},
    ...(body !== undefined && { payload: body }),
  })
}

const directivesOf = (policy: unknown) =>
  Object.fromEntries(
    String(policy)
      .replace(/;$/, '')
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...values]) => [name, values.join(' ')]),
  )

const PAGE = {
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}
const POLICIES: Record<Policy, Record<string, string>> = {
  page: PAGE,
  // Of the server, without scripts; its style is in the page.
  'plain page': {
    'default-src': "'none'",
    'style-src': "'unsafe-inline'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'form-action': "'self'",
  },
  // Swagger UI writes style attributes; on its own pages only.
  docs: { ...PAGE, 'style-src': "'self' 'unsafe-inline'" },
  file: { sandbox: '', 'default-src': "'none'" },
}

/** Headers that browsers apply to documents and workers only. */
const DOCUMENT_HEADERS = {
  'content-security-policy': expect.any(String),
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

describe('security headers', () => {
  it.each(Object.entries(RESPONSES))('are set on %s', async (_name, kind) => {
    const { statusCode, headers } = await request(kind)
    expect(statusCode).toBe(kind.status)
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': kind.isPublic
        ? 'cross-origin'
        : kind.policy === 'file'
          ? 'same-site'
          : 'same-origin',
    })
    if (kind.isSubresource) for (const name of Object.keys(DOCUMENT_HEADERS)) expect(headers).not.toHaveProperty(name)
    else {
      expect(headers).toMatchObject(DOCUMENT_HEADERS)
      expect(directivesOf(headers['content-security-policy'])).toEqual(POLICIES[kind.policy ?? 'page'])
    }
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    if (!kind.isCacheable) expect(headers['cache-control']).toBe(kind.isRevalidated ? 'private, no-cache' : 'no-store')
    expect(headers['access-control-allow-origin']).toBe(kind.isPublic ? '*' : undefined)
    for (const header of ['x-powered-by', 'server', 'access-control-allow-credentials'])
      expect([header, headers[header]]).toEqual([header, undefined])
    // Only sign-in and sign-out set cookies, host-only and HttpOnly.
    const cookies = [headers['set-cookie'] ?? []].flat()
    expect(cookies).toHaveLength(kind.cookies ?? 0)
    for (const cookie of cookies)
      expect(cookie).toMatch(/^__Host-.*; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })

  it('keep other sites from framing any document', async () => {
    for (const [name, kind] of Object.entries(RESPONSES).filter(([, { isSubresource }]) => !isSubresource)) {
      const { headers } = await request(kind)
      const policy = directivesOf(headers['content-security-policy'])
      // Files are sandboxed, so framing them is harmless.
      if (kind.policy !== 'file') expect([name, policy['frame-ancestors']]).toEqual([name, "'none'"])
      expect(headers['x-frame-options']).toMatch(/SAMEORIGIN|DENY/)
    }
  })

  it('come with unexpected errors that reveal no internals', async () => {
    for (const name of ['an unexpected error', 'an unexpected error over tRPC']) {
      const { body } = await request(RESPONSES[name] as ResponseCase)
      expect(body).not.toMatch(/hunter2|\.ts|stack|at \w/)
    }
  })
})
