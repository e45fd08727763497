import type { Page, Route } from '@playwright/test'

const NETWORK = 'Network error - please check your internet connection and ensure the backend server is running'
const INTERNAL = 'Something went wrong. Please try again.'

/** The ways a request may fail, and the message that the page shows. */
export const MESSAGE_OF_FAULT = {
  serverError: INTERNAL,
  networkError: NETWORK,
  invalidJson: 'Invalid response format',
} as const
export type Fault = keyof typeof MESSAGE_OF_FAULT
export const FAULT_NAMES = Object.keys(MESSAGE_OF_FAULT) as Fault[]

const failure = { success: false, message: INTERNAL, code: 'INTERNAL', errors: [] }
const trpcError = { error: { message: INTERNAL, code: -32_603, data: { httpStatus: 500, failure } } }
/** What a captive portal answers. */
const html = { status: 200, contentType: 'text/html', body: '<!doctype html><title>Welcome</title><h1>Free wifi</h1>' }

const TRPC = '/trpc/'
const proceduresIn = ({ pathname }: URL): string[] => decodeURIComponent(pathname.slice(TRPC.length)).split(',')

/** Whether the URL is this REST path, or calls this procedure, alone or in a batch. */
const matchesTarget = (target: string, url: URL): boolean =>
  target.startsWith('/') ? url.pathname === target : url.pathname.startsWith(TRPC) && proceduresIn(url).includes(target)

/** Fails the target; the server answers the other procedures of a batch. */
async function failProcedure(route: Route, target: string): Promise<void> {
  const url = new URL(route.request().url())
  if (target.startsWith('/')) return route.fulfill({ status: 500, json: failure })
  if (!url.searchParams.has('batch')) return route.fulfill({ status: 500, json: trpcError })
  const procedures = proceduresIn(url)
  if (procedures.every((procedure) => procedure === target))
    return route.fulfill({ status: 207, json: procedures.map(() => trpcError) })
  const responses: unknown[] = await (await route.fetch()).json()
  const json = responses.map((response, index) => (procedures[index] === target ? trpcError : response))
  await route.fulfill({ status: 207, json })
}

/** Intercepts one procedure or REST path of a page. Requests pass until a fault is set. */
export async function intercept(page: Page, target: string) {
  let requests = 0
  let fault: Fault | null = null
  let pending: Promise<void> | null = null
  let releaseRequests = () => {}
  await page.route(
    (url) => matchesTarget(target, url),
    async (route) => {
      requests += 1
      await pending
      if (fault === null) return route.fallback()
      if (fault === 'networkError') return route.abort()
      return fault === 'invalidJson' ? route.fulfill(html) : failProcedure(route, target)
    },
  )
  return {
    /** The number of requests so far. */
    requests: () => requests,
    fail: (next: Fault) => (fault = next),
    /** Removes the fault and delays requests until `release`. */
    hold: () => {
      fault = null
      pending = new Promise((resolve) => (releaseRequests = resolve))
    },
    /** Lets delayed and new requests through, without a fault. */
    release: () => {
      fault = null
      pending = null
      releaseRequests()
    },
  }
}
