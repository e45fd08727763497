import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { trpcClient } from './trpc.ts'

const fetchMock = vi.fn<typeof fetch>()
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const settings = { settings: { teamCreationEnabled: true } }
const rejection = (code: string, status: number) =>
  json(
    {
      error: {
        message: code,
        code: -32600,
        data: { httpStatus: status, failure: { success: false, message: code, code } },
      },
    },
    status,
  )

const write = (enabled: boolean) => trpcClient.admin.setTeamCreation.mutate({ enabled, password: 'Zellige-2026' })
const keys = () => fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock)
})
afterEach(() => {
  fetchMock.mockReset()
})

describe('a write', () => {
  it('has the same key after a lost response and a new one after a response', async () => {
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await expect(write(true)).rejects.toThrow('Network error')
    fetchMock.mockResolvedValueOnce(json({ result: { data: settings } }))
    await expect(write(true)).resolves.toEqual(settings)
    fetchMock.mockResolvedValueOnce(json({ result: { data: settings } }))
    await write(true)
    const [first, second, third] = keys()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('has a new key for another input and after a rejection', async () => {
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await expect(write(true)).rejects.toThrow()
    fetchMock.mockResolvedValueOnce(rejection('WRONG_PASSWORD', 403))
    await expect(write(false)).rejects.toThrow('WRONG_PASSWORD')
    fetchMock.mockResolvedValueOnce(rejection('UNAVAILABLE', 503))
    await expect(write(false)).rejects.toThrow('UNAVAILABLE')
    fetchMock.mockResolvedValueOnce(json({ result: { data: settings } }))
    await write(false)
    const [other, rejected, unavailable, repeated] = keys()
    expect(rejected).not.toBe(other)
    expect(unavailable).not.toBe(rejected)
    expect(repeated).toBe(unavailable)
  })

  it('adds no key to reads', async () => {
    fetchMock.mockResolvedValueOnce(json([{ result: { data: { settings: {} } } }]))
    await trpcClient.system.settings.query()
    expect(keys()).toEqual([null])
  })
})
