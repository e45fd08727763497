import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Lets a server listen on 127.0.0.1, on a free port unless one is given; resolves with the port. */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
