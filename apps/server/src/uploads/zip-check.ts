import { type ErrorDefinition, appErrors, withMessage } from '@community/contract'
import { type Entry, fromBufferPromise, getFileNameLowLevel, validateFileName } from 'yauzl'

export const ZIP_ENTRIES_MAX = 10_000
export const ZIP_UNPACKED_BYTES_MAX = 1024 ** 3

const MADE_BY_UNIX = 3
const FILE_TYPE_MASK = 0o170000
const SYMLINK_TYPE = 0o120000
const ENTRY_SIGNATURE = Buffer.from('PK\x01\x02', 'latin1')

const damaged = withMessage(appErrors.fileTypeRefused, 'This ZIP file cannot be accepted: it is damaged')
const tooMany = withMessage(
  appErrors.fileTypeRefused,
  'This ZIP file cannot be accepted: it contains more than {n} files',
  { n: ZIP_ENTRIES_MAX },
)
const tooLarge = withMessage(
  appErrors.fileTypeRefused,
  'This ZIP file cannot be accepted: it is larger than {n} GB when unpacked',
  { n: ZIP_UNPACKED_BYTES_MAX / 1024 ** 3 },
)
const containsSymlinks = withMessage(
  appErrors.fileTypeRefused,
  'This ZIP file cannot be accepted: it contains symbolic links',
)
const unsafeNames = withMessage(
  appErrors.fileTypeRefused,
  'This ZIP file cannot be accepted: it contains unsafe file names',
)
const emptyArchive = withMessage(appErrors.fileTypeRefused, 'This ZIP file cannot be accepted: it is empty')

const isSymlink = ({ versionMadeBy, externalFileAttributes }: Entry): boolean =>
  versionMadeBy >> 8 === MADE_BY_UNIX && ((externalFileAttributes >>> 16) & FILE_TYPE_MASK) === SYMLINK_TYPE

/**
 * Whether a name has control characters, is absolute or leaves the folder it is unpacked to. Checks its raw and its Unicode form, because
 * programs differ in which one they use.
 */
function hasUnsafeName({ fileNameRaw, extraFields, generalPurposeBitFlag }: Entry): boolean {
  const rawName = fileNameRaw.toString('latin1').replaceAll('\\', '/')
  const unicodeName = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  return [rawName, unicodeName].some((name) => /[\u0000-\u001f\u007f]/.test(name) || validateFileName(name) !== null)
}

/**
 * Returns why an archive is rejected, by its central directory alone; null when it is valid. The server never unpacks it: the check protects
 * people who do from bombs, links and names that leave the folder.
 */
export async function whyZipRejected(bytes: Buffer): Promise<ErrorDefinition | null> {
  try {
    // Names stay undecoded, because yauzl reports an unsafe one like a damaged archive.
    const zip = await fromBufferPromise(bytes, { decodeStrings: false })
    if (zip.entryCount === 0) return emptyArchive
    if (zip.entryCount > ZIP_ENTRIES_MAX) return tooMany
    let unpacked = 0
    for await (const entry of zip.eachEntry()) {
      unpacked += entry.uncompressedSize
      if (unpacked > ZIP_UNPACKED_BYTES_MAX) return tooLarge
      if (isSymlink(entry)) return containsSymlinks
      if (hasUnsafeName(entry)) return unsafeNames
    }
    // yauzl stops after the declared number of entries, other programs at the end of the directory: an entry between would be unchecked.
    // Cast, because yauzl's types declare this number wrongly.
    const end = zip.readEntryCursor as unknown as number
    return bytes.subarray(end, end + ENTRY_SIGNATURE.length).equals(ENTRY_SIGNATURE) ? damaged : null
  } catch {
    return damaged
  }
}
