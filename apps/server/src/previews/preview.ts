import type { Preview } from '@community/contract'
import type { StoredPreview } from '@community/db/schema'
import type { FileType } from '../uploads/file-type.ts'

/** The types of which a preview is made. */
export const PREVIEWED_TYPES: readonly FileType[] = ['image/jpeg', 'image/png', 'image/gif', 'application/pdf']
export const isPreviewed = (mimeType: string): boolean => PREVIEWED_TYPES.some((type) => type === mimeType)

/** Widths of thumbnails in pixels; smaller pictures are not enlarged. A thumbnail is at most twice as high as wide. */
export const WIDTHS = [480, 960] as const
export const FORMATS = ['avif', 'webp'] as const

export const THUMBNAIL_NAMES = WIDTHS.flatMap((width) => FORMATS.map((format) => `${width}.${format}`))

const FOLDER = 'thumbnails/'

/** The key of a thumbnail in the storage. It begins with the file's key, so that the sweep can list thumbnails by day. */
export const thumbnailKey = (fileKey: string, name: string): string => `${FOLDER}${fileKey}-${name.replace('.', '-')}`

/** The prefix of the keys of all thumbnails of files whose keys begin with `prefix`. */
export const thumbnailPrefix = (prefix: string): string => `${FOLDER}${prefix}`

/** The key of the file that an object belongs to: a thumbnail's file, or the file itself. */
export const fileKeyOf = (key: string): string =>
  key.startsWith(FOLDER) ? key.slice(FOLDER.length).replace(/-[a-z0-9]+-[a-z]+$/, '') : key

/** The keys of all thumbnails that a file may have. */
export const thumbnailKeys = (fileKey: string): string[] => THUMBNAIL_NAMES.map((name) => thumbnailKey(fileKey, name))

/** The keys of a file's objects in the storage. */
export const objectKeys = ({ key, preview }: { key: string; preview: StoredPreview | null }): string[] =>
  preview ? [key, ...thumbnailKeys(key)] : [key]

/** The API representation of a preview. Its thumbnails are beside the file. */
export const toPreview = ({ thumbnails, ...preview }: StoredPreview, fileUrl: string): Preview => ({
  ...preview,
  thumbnails: thumbnails.map(({ name, width, height, type }) => ({
    url: new URL(`thumbnails/${name}`, fileUrl).href,
    width,
    height,
    type,
  })),
})
