import { describe, expect, it, vi } from 'vitest'
import { ApiError, type CommunityOptions, createCommunityClient, dataOf } from '../src/index.ts'

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const success = (data: object) => json(200, { success: true, message: 'OK', data })
const failure = (status: number, code: string, headers?: Record<string, string>) =>
  json(status, { success: false, message: 'No', code, requestId: '1' }, headers)
const RETRY_NOW = { 'retry-after': '0' }
const ROLE = { body: { name: 'Pentester', emoji: '🔐', category: 'Development' as const } }

/** A client whose requests are answered in order. An error is a lost connection. */
function clientWith(answers: (Response | Error)[], options: Partial<CommunityOptions> = {}) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    requests.push(request)
    const answer = answers.shift() ?? new Error('unexpected request')
    if (answer instanceof Error) throw answer
    return answer
  }
  const api = createCommunityClient({ baseUrl: 'https://api.test/api', fetch, ...options })
  const sent = (header: string) => requests.map(({ headers }) => headers.get(header))
  return { api, requests, sent }
}

/** A client of this `fetch`, and the tokens it sent. */
function createRecordingClient(fetch: (request: Request) => Promise<Response>, options: Partial<CommunityOptions>) {
  const sent: (string | null)[] = []
  const record = (request: Request) => {
    sent.push(request.headers.get('authorization'))
    return fetch(request)
  }
  return { ...clientWith([], { ...options, fetch: record }), sent }
}

describe('retries', () => {
  it('repeats a creating call with its key and body after a network failure, 429 and 503', async () => {
    // Makes the pause after the network failure 0.
    vi.spyOn(Math, 'random').mockReturnValue(-1)
    const answers = [
      new TypeError('lost'),
      failure(429, 'A', RETRY_NOW),
      failure(503, 'B', RETRY_NOW),
      success({ role: {} }),
    ]
    const { api, requests, sent } = clientWith(answers)
    expect((await api.POST('/roles', ROLE)).error).toBeUndefined()
    expect(new Set(sent('idempotency-key')).size).toBe(1)
    expect(sent('idempotency-key')[0]).toMatch(/^[\da-f]{32}$/)
    expect(await Promise.all(requests.map((request) => request.json()))).toEqual(Array(4).fill(ROLE.body))
  })

  it('retries while the first attempt still runs', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(-1)
    const running = failure(409, 'IDEMPOTENCY_KEY_RUNNING', RETRY_NOW)
    const { api, requests } = clientWith([new TypeError('lost'), running, success({ role: {} })])
    expect((await api.POST('/roles', ROLE)).error).toBeUndefined()
    expect(requests).toHaveLength(3)
    const conflict = clientWith([new TypeError('lost'), failure(409, 'ROLE_EXISTS')])
    expect((await conflict.api.POST('/roles', ROLE)).error).toMatchObject({ code: 'ROLE_EXISTS' })
  })

  it('keeps a key that the caller sends', async () => {
    const { api, sent } = clientWith([success({ role: {} })])
    await api.POST('/roles', { ...ROLE, params: { header: { 'Idempotency-Key': 'mine' } } })
    expect(sent('idempotency-key')).toEqual(['mine'])
  })

  it('does not repeat a write without a key', async () => {
    const { api, requests, sent } = clientWith([new TypeError('lost')])
    await expect(api.POST('/auth/login', { body: { email: 'a@b.ma', password: 'x' } })).rejects.toThrow('lost')
    expect([requests.length, sent('idempotency-key')]).toEqual([1, [null]])
  })

  it('gives up after the retries, or if it would have to wait for more than a minute', async () => {
    const busy = clientWith(
      [503, 503, 503].map((status) => failure(status, 'UNAVAILABLE', RETRY_NOW)),
      { retries: 2 },
    )
    expect((await busy.api.GET('/roles')).response.status).toBe(503)
    const limited = clientWith([failure(429, 'TOO_MANY_TEAMS', { 'retry-after': '61' })])
    expect((await limited.api.GET('/roles')).error).toMatchObject({ code: 'TOO_MANY_TEAMS' })
  })

  it('ends a pause when it is aborted', async () => {
    const abort = new AbortController()
    const { api, requests } = clientWith([failure(503, 'UNAVAILABLE', { 'retry-after': '30' })])
    const call = api.GET('/roles', { signal: abort.signal })
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    abort.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('tokens', () => {
  it('sends a string, or what a function returns', async () => {
    const fixed = clientWith([success({})], { token: 'cmt_1' })
    await fixed.api.GET('/roles')
    expect(fixed.sent('authorization')).toEqual(['Bearer cmt_1'])
    const asked = clientWith([success({}), success({})], {
      token: vi.fn().mockReturnValueOnce('a').mockReturnValueOnce('b'),
    })
    await asked.api.GET('/roles')
    await asked.api.GET('/roles')
    expect(asked.sent('authorization')).toEqual(['Bearer a', 'Bearer b'])
  })

  it('refreshes an expired token once for concurrent requests, and sends the new one from then on', async () => {
    const refresh = vi.fn(() => Promise.resolve('new'))
    const fetch = async ({ headers }: Request) =>
      headers.get('authorization') === 'Bearer new' ? success({}) : failure(401, 'TOKEN_EXPIRED')
    const { api } = clientWith([], { token: 'old', refresh, fetch })
    const answers = await Promise.all([api.GET('/roles'), api.GET('/roles'), api.GET('/roles')])
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200, 200])
    expect((await api.GET('/roles')).response.status).toBe(200)
    expect(refresh).toHaveBeenCalledOnce()
  })

  it('sends the given token again when that changes after a refresh', async () => {
    let given = 'first'
    const fetch = async ({ headers }: Request) =>
      headers.get('authorization') === 'Bearer first' ? failure(401, 'TOKEN_EXPIRED') : success({})
    const { api, sent } = createRecordingClient(fetch, {
      token: () => given,
      refresh: () => Promise.resolve('refreshed'),
    })
    await api.GET('/roles')
    given = 'second'
    await api.GET('/roles')
    expect(sent).toEqual(['Bearer first', 'Bearer refreshed', 'Bearer second'])
  })

  it('refreshes the tokens of two sign-ins separately', async () => {
    let given = 'first'
    const expired = new Set(['Bearer first', 'Bearer second'])
    const fetch = async ({ headers }: Request) =>
      expired.has(headers.get('authorization') ?? '') ? failure(401, 'TOKEN_EXPIRED') : success({})
    const refresh = vi.fn(async () => `${given}, refreshed`)
    const { api } = createRecordingClient(fetch, { token: () => given, refresh })
    const first = api.GET('/roles')
    await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce())
    given = 'second'
    const responses = await Promise.all([first, api.GET('/roles')])
    expect(responses.map(({ response }) => response.status)).toEqual([200, 200])
  })

  it('refreshes a token that the server has forgotten since it expired', async () => {
    const refresh = vi.fn(() => Promise.resolve('new'))
    const { api, sent } = clientWith([failure(401, 'NOT_SIGNED_IN'), success({})], { token: 'old', refresh })
    expect((await api.GET('/roles')).response.status).toBe(200)
    expect(sent('authorization')).toEqual(['Bearer old', 'Bearer new'])
  })

  it('does not refresh for a 401 that is not about the token', async () => {
    const refresh = vi.fn()
    const { api } = clientWith([failure(401, 'INVALID_CREDENTIALS')], { token: 'old', refresh })
    expect((await api.GET('/roles')).error).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(refresh).not.toHaveBeenCalled()
  })
})

it('iterates over the entries of all pages', async () => {
  const page = (ids: string[], nextCursor: string | null) =>
    success({ teams: ids.map((id) => ({ id })), pagination: { nextCursor } })
  const { api, requests } = clientWith([page(['1', '2'], 'after-2'), page(['3'], null)])
  const ids: string[] = []
  for await (const team of api.items('/teams', { params: { query: { search: 'atlas' } } })) ids.push(team.id)
  expect(ids).toEqual(['1', '2', '3'])
  expect(requests.map(({ url }) => new URL(url).search)).toEqual([
    '?limit=100&search=atlas',
    '?limit=100&search=atlas&cursor=after-2',
  ])
})

it('sends files as a form', async () => {
  const { api, requests } = clientWith([success({}), success({})])
  const file = new File(['x'], 'plan.pdf', { type: 'application/pdf' })
  await api.POST('/upload/single', { body: { file } })
  await api.POST('/upload/submission', { body: { files: [file, file] } })
  const [single, several] = await Promise.all(requests.map((request) => request.formData()))
  expect(single?.get('file')).toMatchObject({ name: 'plan.pdf', type: 'application/pdf' })
  expect(several?.getAll('files')).toHaveLength(2)
})

it('sends a Blob as bytes', async () => {
  const { api, requests, sent } = clientWith([success({})])
  const params = { path: { id: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11', part: 0 } }
  await api.PUT('/admin/import/{id}/parts/{part}', { params, body: new Blob(['PK']) })
  expect(sent('content-type')).toEqual(['application/octet-stream'])
  expect(await requests[0]?.text()).toBe('PK')
})

describe('dataOf', () => {
  it('throws the failure, with its code', async () => {
    const { api } = clientWith([failure(409, 'ROLE_EXISTS')])
    const error = await dataOf(api.POST('/roles', ROLE)).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 409, code: 'ROLE_EXISTS', failure: { requestId: '1' } })
  })

  it('throws for a page of a proxy', async () => {
    const { api } = clientWith([new Response('<h1>Bad gateway</h1>', { status: 502 })])
    await expect(dataOf(api.GET('/roles'))).rejects.toMatchObject({ status: 502, code: undefined })
  })
})
