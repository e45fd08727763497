/** The address of this worker's server: set before its first test. */
export let url = ''
export let inboxUrl = ''

export function setSite(server: { url: string; inboxUrl: string }): void {
  url = server.url
  inboxUrl = server.inboxUrl
}
