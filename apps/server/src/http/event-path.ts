import type { FastifyRequest } from 'fastify'

export const EVENTS_PATH = '/events'

/** Whether the request opens the event stream. Its response stays open, so that its duration and end mean nothing. */
export const isEventStream = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url === `/api${EVENTS_PATH}`
