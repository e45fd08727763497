import { UPLOAD_BYTES_MAX, UPLOAD_TYPES } from '@community/contract/limits'

// Some systems name no type, or an old one for ZIP: the ending then speaks. The server judges the content anyway.
const EXTENSIONS = /\.(jpe?g|png|gif|pdf|zip)$/i

/** What the file chooser offers. */
export const ACCEPTED = `${UPLOAD_TYPES.join(',')},.zip`

export const isAllowedType = (file: File): boolean =>
  (UPLOAD_TYPES as readonly string[]).includes(file.type) || EXTENSIONS.test(file.name)

export const isSmallEnough = (file: File): boolean => file.size <= UPLOAD_BYTES_MAX
