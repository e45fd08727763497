import net from 'node:net'
import { listenLocally } from '../listening.ts'

interface ProxiedConnection {
  client: net.Socket
  server: net.Socket
}

interface NetworkFaults {
  /** Drops all data in both directions without closing connections, like a pulled cable. */
  isSilent: boolean
  /** Latency in milliseconds, in each direction. */
  delay: number
  /** Closes new connections at once, like a load balancer without a backend. */
  isRefusing: boolean
}

export interface FaultyNetwork extends NetworkFaults {
  port: number
  /** Called with the data of a client before it is forwarded. */
  onClientData: (text: string, link: ProxiedConnection) => void
  /** Begins faults; returns a function that ends them. */
  begin(faults: Partial<NetworkFaults>): () => void
  /** Resets every connection. */
  reset(): void
  close(): void
}

const NO_FAULTS: NetworkFaults = { isSilent: false, delay: 0, isRefusing: false }

/** A TCP proxy to a local server, with faults that tests can switch on. */
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
        // Without a delay no timer, which would add latency; equal delays keep the order.
        if (network.delay > 0) setTimeout(forward, network.delay)
        else forward()
      })
    }
  })
  const network: FaultyNetwork = {
    port: 0,
    ...NO_FAULTS,
    onClientData: () => {},
    begin(faults) {
      Object.assign(network, faults)
      return () => Object.assign(network, NO_FAULTS)
    },
    reset() {
      for (const { client } of links) client.resetAndDestroy()
    },
    close() {
      proxy.close()
      for (const { client } of links) client.destroy()
    },
  }
  network.port = await listenLocally(proxy)
  return network
}
