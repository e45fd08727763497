import type { FastifyRequest } from 'fastify'

export const EVENTS_PATH = '/events'

/** Whether the request opens the event stream, whose response stays open. */
export const isEventStream = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url === `/api${EVENTS_PATH}`
