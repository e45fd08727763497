import { type limits, THUMBNAIL_TYPES } from '@community/contract'

export type FileType = (typeof limits.UPLOAD_TYPES)[number]

/** Bytes needed to detect every type. */
export const SIGNATURE_BYTES = 8

const SIGNATURES: readonly [type: FileType, bytes: string][] = [
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
]

/** The type by the file's first bytes; null for unsupported ones. Ignores the client's file name and Content-Type. */
export function detectFileType(head: Buffer): FileType | null {
  const start = head.toString('latin1', 0, SIGNATURE_BYTES)
  return SIGNATURES.find(([, bytes]) => start.startsWith(bytes))?.[0] ?? null
}

/** The allowed extensions per type; the first is the default. */
export const EXTENSIONS: Record<FileType, readonly string[]> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'application/pdf': ['.pdf'],
  'application/zip': ['.zip'],
}

/** The type of re-encoded profile pictures; not accepted as an upload. */
export const PICTURE_TYPE = 'image/webp'
type ServedType = FileType | (typeof THUMBNAIL_TYPES)[number]

/** Content-Type is sent from this list only, never from a client or the storage. */
export const isServedType = (type: string): type is ServedType =>
  THUMBNAIL_TYPES.some((served) => served === type) || Object.hasOwn(EXTENSIONS, type)

/** Whether browsers may display a file of this type inline; archives are downloaded. */
export const canShowInline = (type: ServedType): boolean => type !== 'application/zip'
