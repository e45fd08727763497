import { readFile } from 'node:fs/promises'

/** Matches `/proc/net/tcp`: both ports, and the received bytes that are unread. */
const SOCKET = /^\s*\d+: \w+:(\w+) \w+:(\w+) \w+ \w+:(\w+)/

/** Whether a connection to or from one of these ports holds bytes that its process has not read yet. Linux only; false elsewhere. */
export async function hasUnread(ports: readonly number[]): Promise<boolean> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  return tables
    .join('\n')
    .split('\n')
    .some((line) => {
      const [local, remote, unread] = (SOCKET.exec(line) ?? []).slice(1).map((hex) => Number.parseInt(hex, 16))
      return unread !== undefined && unread > 0 && ports.some((port) => port === local || port === remote)
    })
}
