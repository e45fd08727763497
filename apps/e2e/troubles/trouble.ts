import type { Page, Route } from '@playwright/test'

export const NETWORK = 'Network error - please check your internet connection and ensure the backend server is running'
/** What a server says that does not know what went wrong. */
const INTERNAL = 'Something went wrong. Please try again.'

/** How a call may fail, and what the page understands of it. */
export const SAID = { refused: INTERNAL, cut: NETWORK, html: 'Invalid response format' } as const
export type Trouble = keyof typeof SAID
// The keys of an object of ours.
export const TROUBLES = Object.keys(SAID) as Trouble[]

const failure = { success: false, message: INTERNAL, code: 'INTERNAL', errors: [] }
const refusal = { error: { message: INTERNAL, code: -32_603, data: { httpStatus: 500, failure } } }
const page200 = {
  status: 200,
  contentType: 'text/html',
  body: '<!doctype html><title>Welcome</title><h1>Free wifi</h1>',
}

const TRPC = '/trpc/'
const callsIn = ({ pathname }: URL): string[] => decodeURIComponent(pathname.slice(TRPC.length)).split(',')

/** A path over REST, or a procedure, also among others that are asked for with it. */
const isAbout = (call: string, url: URL): boolean =>
  call.startsWith('/') ? url.pathname === call : url.pathname.startsWith(TRPC) && callsIn(url).includes(call)

/** Refuses this call alone: what else the request asks for is answered as ever. */
async function refuse(route: Route, call: string): Promise<void> {
  const url = new URL(route.request().url())
  if (call.startsWith('/')) return route.fulfill({ status: 500, json: failure })
  const calls = callsIn(url)
  if (!url.searchParams.has('batch')) return route.fulfill({ status: 500, json: refusal })
  const isAlone = calls.every((one) => one === call)
  const answers: unknown[] = isAlone ? calls : await (await route.fetch()).json()
  await route.fulfill({ status: 207, json: answers.map((answer, nth) => (calls[nth] === call ? refusal : answer)) })
}

/** What happens to one call of a page from now on. */
export interface Line {
  /** How many requests asked for it. */
  asked: () => number
  fail: (trouble: Trouble) => void
  /** Nothing is answered until it is let go, to whatever became of the line meanwhile. */
  hold: () => void
  letGo: () => void
  /** Everything arrives again, what was held first of all. */
  heal: () => void
}

/** Lays hands on the line of one call. It is as good as ever until told otherwise. */
export async function lineOf(page: Page, call: string): Promise<Line> {
  let asked = 0
  let trouble: Trouble | null = null
  let held: Promise<void> | null = null
  let open = () => {}
  const letGo = () => {
    held = null
    open()
  }
  await page.route(
    (url) => isAbout(call, url),
    async (route) => {
      asked += 1
      await held
      if (trouble === null) return route.fallback()
      if (trouble === 'cut') return route.abort()
      return trouble === 'html' ? route.fulfill(page200) : refuse(route, call)
    },
  )
  return {
    asked: () => asked,
    fail: (next) => {
      trouble = next
    },
    hold: () => {
      trouble = null
      held = new Promise((resolve) => {
        open = resolve
      })
    },
    letGo,
    heal: () => {
      trouble = null
      letGo()
    },
  }
}
