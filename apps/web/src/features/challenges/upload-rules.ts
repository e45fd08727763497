import { UPLOAD_BYTES_MAX, UPLOAD_TYPES } from '@community/contract/limits'

// Some systems report no type, or an outdated one for ZIP: then use the file extension. The server checks the content.
const EXTENSIONS = /\.(jpe?g|png|gif|pdf|zip)$/i

/** The `accept` attribute of the file input. */
export const ACCEPTED = `${UPLOAD_TYPES.join(',')},.zip`

export const isAllowedType = (file: File): boolean =>
  (UPLOAD_TYPES as readonly string[]).includes(file.type) || EXTENSIONS.test(file.name)

export const isSmallEnough = (file: File): boolean => file.size <= UPLOAD_BYTES_MAX
