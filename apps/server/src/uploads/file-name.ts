import { cleanLine } from '@community/contract'
import { EXTENSIONS, type FileType } from './file-type.ts'

/** Maximum length including the extension: fits file systems and, escaped, URLs. */
const NAME_LENGTH_MAX = 120

const truncate = (name: string, length: number): string => Array.from(name).slice(0, length).join('')

/**
 * Sanitises a client's file name: its last path segment without control and bidi characters and without characters that file systems
 * reject, with an extension that matches the detected type.
 */
export function cleanFileName(name: string | undefined, type: FileType): string {
  const basename = name?.split(/[/\\]/).at(-1) ?? ''
  const cleaned = cleanLine(basename).replace(/[<>:"|?*]/g, '_')
  const extension = EXTENSIONS[type].find((known) => cleaned.toLowerCase().endsWith(known))
  const stem = extension ? cleaned.slice(0, -extension.length) : cleaned
  const shortened = truncate(stem.replace(/^[.\s]+/, ''), NAME_LENGTH_MAX - 5).replace(/[.\s]+$/, '')
  return `${shortened === '' ? 'file' : shortened}${extension ? cleaned.slice(-extension.length) : EXTENSIONS[type][0]}`
}

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The Content-Disposition header (RFC 6266), with an ASCII fallback for old clients. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${percentEncode(name)}`
}
