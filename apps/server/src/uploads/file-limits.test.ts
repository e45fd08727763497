import { once } from 'node:events'
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { fileForm } from '@community/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TRUST_FORWARDED_FOR } from '../../test/accounts.ts'
import { pdf } from '../../test/sample-files.ts'
import { openTestServer, type TestServer } from '../../test/test-server.ts'
import { OPEN_BODIES_MAX } from '../integrations/storage.ts'

let server: TestServer
let requests: ClientRequest[]
let url: string
beforeEach(async () => {
  requests = []
  server = await openTestServer(TRUST_FORWARDED_FOR)
  const member = await server.createMember()
  const { body } = await server.rest(member)('POST /upload/single', fileForm('file', pdf(), 'a.pdf'))
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  url = origin + new URL(body.data.file.secureUrl).pathname
  // The first byte, and never another.
  vi.spyOn(server.deps.storage, 'open').mockImplementation(() => {
    const body = new Readable({ read() {} })
    body.push('%')
    return Promise.resolve({ body, contentType: 'application/pdf', size: pdf().length })
  })
})
afterEach(async () => {
  for (const request of requests) request.destroy()
  await server.close()
})

/** Starts a download, which does not end; resolves with its status. */
async function download(address: string, path = url): Promise<number | undefined> {
  const request = get(path, { agent: false, headers: { 'x-forwarded-for': address } })
  requests.push(request)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {}).resume()
  return response.statusCode
}

async function downloads(count: number, address: string): Promise<(number | undefined)[]> {
  const statuses = []
  for (let index = 0; index < count; index++) statuses.push(await download(address))
  return statuses
}

it('one address gets a quarter of the downloads, also with `/api` in front', async () => {
  expect(new Set(await downloads(OPEN_BODIES_MAX / 4, '203.0.113.1'))).toEqual(new Set([200]))
  const beyond = [download('203.0.113.1'), download('203.0.113.1', url.replace('/files', '/api/files'))]
  expect([...(await Promise.all(beyond)), await download('203.0.113.2')]).toEqual([503, 503, 200])
})

it('the subnets of one IPv6 /48 get three eighths of the downloads together', async () => {
  for (let subnet = 0; subnet < 3; subnet++)
    expect(new Set(await downloads(OPEN_BODIES_MAX / 8, `2001:db8:1:${subnet}::1`))).toEqual(new Set([200]))
  expect([await download('2001:db8:1:9::1'), await download('2001:db8:2:9::1')]).toEqual([503, 200])
})
