import type { limits } from '@community/contract'

export type FileType = (typeof limits.UPLOAD_TYPES)[number]

/** Bytes that tell every type apart. */
export const SIGNATURE_BYTES = 8

const SIGNATURES: readonly [type: FileType, bytes: string][] = [
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
]

/** The type a file's first bytes say it has; null for any other. The name and the header a client sends are not asked. */
export function typeOfBytes(head: Buffer): FileType | null {
  const start = head.toString('latin1', 0, SIGNATURE_BYTES)
  return SIGNATURES.find(([, bytes]) => start.startsWith(bytes))?.[0] ?? null
}

/** The endings a file of a type may have; the first is given to one that has none of them. */
export const ENDINGS: Record<FileType, readonly string[]> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'application/pdf': ['.pdf'],
  'application/zip': ['.zip'],
}

/** Not taken from anybody: what the pictures of people are drawn anew as. */
export const PICTURE_TYPE = 'image/webp'
export type ServedType = FileType | typeof PICTURE_TYPE

/** Our own table: what is sent as Content-Type never comes from outside, nor from the storage. */
export const isServedType = (type: string): type is ServedType => type === PICTURE_TYPE || Object.hasOwn(ENDINGS, type)

/** May a browser show a file of this type in place? An archive is only ever saved. */
export const isShown = (type: ServedType): boolean => type !== 'application/zip'
