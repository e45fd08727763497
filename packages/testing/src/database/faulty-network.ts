import net from 'node:net'

interface ProxiedConnection {
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
  onClientData: (text: string, link: ProxiedConnection) => void
  /** Resets every connection. */
  reset(): void
  close(): void
}

/** A way to the server on `target` that fails as it is told to. */
export async function openFaultyNetwork(targetPort: number): Promise<FaultyNetwork> {
  const links = new Set<ProxiedConnection>()
  const proxy = net.createServer((client) => {
    if (network.isRefusing) {
      client.destroy()
      return
    }
    const link = { client, server: net.connect(targetPort, '127.0.0.1') }
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
        if (from === client) network.onClientData(bytes.toString('latin1'), link)
        const forward = () => {
          if (!network.isSilent && !to.destroyed) to.write(bytes)
        }
        // A timer for each would be late by itself; of equal delay they keep their order.
        if (network.delay > 0) setTimeout(forward, network.delay)
        else forward()
      })
    }
  })
  const network: FaultyNetwork = {
    port: 0,
    isSilent: false,
    delay: 0,
    isRefusing: false,
    onClientData: () => {},
    reset() {
      for (const { client } of links) client.resetAndDestroy()
    },
    close() {
      proxy.close()
      for (const { client } of links) client.destroy()
    },
  }
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  network.port = (proxy.address() as net.AddressInfo).port
  return network
}
