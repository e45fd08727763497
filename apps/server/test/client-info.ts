import { randomUUID } from 'node:crypto'
import type { ClientInfo } from '../src/context.ts'

/** A request's client: without cookies, from loopback. */
export const testClientInfo = (): ClientInfo => ({
  id: randomUUID(),
  ip: '127.0.0.1',
  userAgent: 'test',
  language: 'en',
  cookie: () => undefined,
  setCookie: () => {},
  clearCookie: () => {},
})
