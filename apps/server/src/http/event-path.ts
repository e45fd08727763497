import type { FastifyRequest } from 'fastify'

export const EVENTS_PATH = '/events'

/** Whether the response ends only when its client disconnects. */
export const isEventStream = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url === `/api${EVENTS_PATH}`
