/** An event of `GET /api/events`. */
interface StreamedEvent {
  event: string
  /** To resume after it; null if it has none. */
  id: string | null
  /** Milliseconds after which to connect again; null if it does not say. */
  retry: number | null
}

function parseBlock(block: string): StreamedEvent | null {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const end = line.indexOf(':')
    if (end > 0) fields[line.slice(0, end)] = line.slice(end + 1).trimStart()
  }
  const { event, id, retry } = fields
  return event === undefined ? null : { event, id: id ?? null, retry: retry === undefined ? null : Number(retry) }
}

/** Reads a stream of events until it ends. `onActivity` is called for every chunk, heartbeats included. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: StreamedEvent) => void,
  onActivity: () => void,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onActivity()
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block)
      if (event) onEvent(event)
    }
  }
}
