import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** An event of `GET /events` as received. */
interface ReceivedEvent {
  event: string
  data: Record<string, unknown>
  id?: string | undefined
}

export interface EventStream {
  status: number
  headers: IncomingHttpHeaders
  /** The body of the response to a rejected request. */
  failure?: { code: string } | undefined
  events: ReceivedEvent[]
  /** Events by this name, in order. */
  of(name: string): ReceivedEvent[]
  /** The last id, as a browser would send it. */
  lastId(): string | undefined
  isEnded(): boolean
  close(): void
}

interface StreamRequest {
  user?: { token: string } | undefined
  lastEventId?: string | undefined
  query?: string
  /** The client's IP address, for a server that trusts `X-Forwarded-For`. */
  address?: string | undefined
}

const parse = (block: string): ReceivedEvent | undefined => {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const event = fields.get('event')
  return event === undefined
    ? undefined
    : { event, data: JSON.parse(fields.get('data') ?? '{}') as ReceivedEvent['data'], id: fields.get('id') }
}

/** Opens a stream of a listening server, on a connection of its own. */
export async function openStream(
  origin: string,
  { user, lastEventId, query = '', address }: StreamRequest = {},
): Promise<EventStream> {
  const request = get(`${origin}/api/events${query}`, {
    agent: false,
    headers: {
      ...(user && { authorization: `Bearer ${user.token}` }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
    },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const events: ReceivedEvent[] = []
  let [isEnded, text] = [false, '']
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    events.push(...blocks.map(parse).filter((event) => event !== undefined))
  })
  // An aborted response also has an error.
  response.on('error', () => {})
  response.once('close', () => {
    isEnded = true
  })
  const status = response.statusCode ?? 0
  if (status !== 200) await once(response, 'end')
  return {
    status,
    headers: response.headers,
    failure: status === 200 ? undefined : (JSON.parse(text) as { code: string }),
    events,
    of: (name) => events.filter(({ event }) => event === name),
    lastId: () => events.findLast(({ id }) => id !== undefined)?.id,
    isEnded: () => isEnded,
    close: () => void request.destroy(),
  }
}
