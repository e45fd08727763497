import type { FastifyRequest } from 'fastify'

export const EVENTS_PATH = '/events'

/** Whether the response lasts as long as the client stays. */
export const isEventStream = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url === `/api${EVENTS_PATH}`
