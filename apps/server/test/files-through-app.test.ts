import { fileForm } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { html, pdf } from './sample-files.ts'
import { openTestServer, type TestUser } from './test-server.ts'

const server = await openTestServer()
const member = await server.createMember()
afterAll(() => server.close())

const upload = (user: TestUser | null, bytes: Uint8Array, headers?: Record<string, string>) =>
  server.rest(user)('POST /upload/single', fileForm('file', bytes, 'rapport.pdf'), headers)

describe('files over the whole app', () => {
  it('match the OpenAPI document on success and failure', async () => {
    expect((await upload(member, pdf(200_000))).status).toBe(201)
    expect((await upload(member, pdf(), { 'idempotency-key': 'a' })).headers['cache-control']).toBe('no-store')
    expect((await upload(null, pdf())).status).toBe(401)
    expect((await upload(member, html())).status).toBe(415)
    expect((await upload(member, pdf(10_485_761))).status).toBe(413)
    const send = (type: string) => server.rest(member)('POST /upload/single', pdf(), { 'content-type': type })
    expect((await send('application/json')).status).toBe(415)
    expect((await send('multipart/form-data')).status).toBe(400)
    expect((await upload(member, pdf(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await upload(member, pdf(), { authorization: `Bearer ${'x'.repeat(40)}` })).status).toBe(401)
  })
  it('have their own security headers', async () => {
    const { body } = await upload(member, pdf())
    const { headers, statusCode } = await server.app.inject(new URL(body.data.file.secureUrl).pathname)
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']).toBe("sandbox; default-src 'none'")
    expect(headers['cross-origin-resource-policy']).toBe('same-site')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-disposition']).toMatch(/^inline; filename="rapport\.pdf"/)
  })
})
