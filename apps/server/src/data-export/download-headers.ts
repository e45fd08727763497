import { contentDisposition } from '../uploads/file-name.ts'

/** The headers of a file named after the product and the day, such as `Community-teams-2026-09-01.csv`. */
export function downloadHeaders(contentType: string, appName: string, suffix: `.${string}` | `-${string}.${string}`) {
  const end = suffix.lastIndexOf('.')
  const day = new Date().toISOString().slice(0, 10)
  const name = `${appName}${suffix.slice(0, end)}-${day}${suffix.slice(end)}`
  return { 'content-type': contentType, 'content-disposition': contentDisposition('attachment', name) }
}
