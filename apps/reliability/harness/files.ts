import { readdir, readlink } from 'node:fs/promises'
import type { Server } from '@community/testing/server'
import { type Caller, uploadFile } from '@community/testing/community'

/** Uploads a file; resolves with the status, the milliseconds, and the path of the file, null if it was rejected. */
export async function upload({ port }: Pick<Server, 'port'>, caller: Caller, pdf: Buffer) {
  const startedAt = performance.now()
  const { status, url } = await uploadFile(`http://127.0.0.1:${port}`, caller, pdf, 'report.pdf', 'application/pdf')
  return { status, took: performance.now() - startedAt, path: url ? new URL(url).pathname : null }
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
