import { cleanLine } from '@community/contract'
import { ENDINGS, type FileType } from './file-type.ts'

/** Maximum length including the extension: fits file systems and, escaped, URLs. */
const LENGTH_MAX = 120

const cut = (name: string, length: number): string => Array.from(name).slice(0, length).join('')

/**
 * Sanitises a client's file name: its last path segment without control and bidi characters and without characters that file systems
 * reject, with an extension that matches the detected type.
 */
export function cleanFileName(given: string, type: FileType): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const plain = cleanLine(last).replace(/[<>:"|?*]/g, '_')
  const ending = ENDINGS[type].find((known) => plain.toLowerCase().endsWith(known))
  const stem = ending ? plain.slice(0, -ending.length) : plain
  const kept = cut(stem.replace(/^[.\s]+/, ''), LENGTH_MAX - 5).replace(/[.\s]+$/, '')
  return `${kept === '' ? 'file' : kept}${ending ? plain.slice(-ending.length) : ENDINGS[type][0]}`
}

const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The Content-Disposition header (RFC 6266), with an ASCII fallback for old clients. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${percentEncoded(name)}`
}
