import { readdir, readlink } from 'node:fs/promises'
import { fileForm } from '@community/testing'
import type { Server } from '@community/testing/server'
import type { Caller } from '@community/testing/community'

/** Uploads a file; resolves with the status, the milliseconds, and the path of the file, null if it was rejected. */
export async function upload({ port }: Pick<Server, 'port'>, { token }: Caller, pdf: Buffer) {
  const body = fileForm('file', pdf, 'report.pdf', 'application/pdf')
  const headers = { authorization: `Bearer ${token}` }
  const [startedAt, signal] = [performance.now(), AbortSignal.timeout(60_000)]
  const response = await fetch(`http://127.0.0.1:${port}/api/upload/single`, { method: 'POST', headers, body, signal })
  const { data } = (await response.json()) as { data?: { file: { secureUrl: string } } }
  const path = data ? new URL(data.file.secureUrl).pathname : null
  return { status: response.status, took: performance.now() - startedAt, path }
}

/** The bytes of a file; null if the request fails or is cut off. */
export async function download({ port }: Pick<Server, 'port'>, path: string, headers = {}): Promise<Buffer | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    return response.ok ? bytes : null
  } catch {
    return null
  }
}

/** Counts the files of a folder that a process has open, also deleted ones: an upload in progress has no name. */
export async function openFiles(server: Server, folder: 'community-upload-' | '/files/'): Promise<number> {
  const folderOfLinks = `/proc/${server.pid()}/fd`
  const links = await readdir(folderOfLinks)
  const targets = await Promise.all(links.map((link) => readlink(`${folderOfLinks}/${link}`).catch(() => '')))
  return targets.filter((target) => target.includes(folder)).length
}
