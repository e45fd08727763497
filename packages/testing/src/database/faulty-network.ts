import net from 'node:net'

interface Link {
  client: net.Socket
  server: net.Socket
}

export interface FaultyNetwork {
  port: number
  /** Drops every byte, both ways, without closing anything: a cable that was pulled. */
  isSilent: boolean
  /** Milliseconds that bytes take, each way. */
  delay: number
  /** Hangs up on whoever connects: a balancer without a server behind it. */
  isRefusing: boolean
  /** Called with what a client sends, before it is passed on. */
  onSent: (text: string, link: Link) => void
  /** Resets every connection. */
  reset(): void
  close(): void
}

/** A way to the server on `target` that fails as it is told to. */
export async function openFaultyNetwork(target: number): Promise<FaultyNetwork> {
  const links = new Set<Link>()
  const gate = net.createServer((client) => {
    if (network.isRefusing) {
      client.destroy()
      return
    }
    const link = { client, server: net.connect(target, '127.0.0.1') }
    links.add(link)
    for (const [from, to] of [
      [client, link.server],
      [link.server, client],
    ] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        links.delete(link)
        to.destroy()
      })
      from.on('data', (bytes) => {
        if (from === client) network.onSent(bytes.toString('latin1'), link)
        const passOn = () => {
          if (!network.isSilent && !to.destroyed) to.write(bytes)
        }
        // A timer for each would be late by itself; of equal delay they keep their order.
        if (network.delay > 0) setTimeout(passOn, network.delay)
        else passOn()
      })
    }
  })
  const network: FaultyNetwork = {
    port: 0,
    isSilent: false,
    delay: 0,
    isRefusing: false,
    onSent: () => {},
    reset() {
      for (const { client } of links) client.resetAndDestroy()
    },
    close() {
      gate.close()
      for (const { client } of links) client.destroy()
    },
  }
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  network.port = (gate.address() as net.AddressInfo).port
  return network
}
