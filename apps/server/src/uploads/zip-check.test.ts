import { expect, it } from 'vitest'
import { text, zip, type ZipEntry } from '../../test/sample-files.ts'
import { whyZipRejected, ZIP_ENTRIES_MAX, ZIP_UNPACKED_BYTES_MAX } from './zip-check.ts'

const check = (bytes: Uint8Array) => whyZipRejected(Buffer.from(bytes))
const many = (count: number): ZipEntry[] => Array.from({ length: count }, (_, n) => ({ name: `f/${n}` }))

/** Sets the entry count in the end record to 1. */
function withEntryCountOfOne(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes)
  copy.writeUInt16LE(1, copy.length - 22 + 8)
  copy.writeUInt16LE(1, copy.length - 22 + 10)
  return copy
}

const readme = { name: 'project/README.md' }
it.each([
  ['a plain archive', zip([readme, { name: 'project/src/ملف.ts' }, { name: 'project/', mode: 0o40755 }])],
  ['one with a comment', zip([readme], { comment: 'made by PK\x05\x06' })],
  ['one in ZIP64 format', zip([readme], { zip64: true })],
  ['one with the maximum number of files', zip(many(ZIP_ENTRIES_MAX))],
  ['one that unpacks to 1 GiB', zip([{ name: 'a', claimedSize: ZIP_UNPACKED_BYTES_MAX - 5 }, { name: 'b' }])],
  ['names with dots in them', zip([{ name: '..a/b..c/...' }])],
])('%s is fine', async (_what, bytes) => expect(await check(bytes)).toBeNull())

it.each([
  ['one file too many', zip(many(ZIP_ENTRIES_MAX + 1)), '10000'],
  ['a byte too many', zip([{ name: 'a', claimedSize: ZIP_UNPACKED_BYTES_MAX - 4 }, { name: 'b' }]), '1 GB'],
  ['a bomb in ZIP64 format', zip([{ name: 'a', claimedSize: 2 ** 40 }], { zip64: true }), '1 GB'],
  ['a symbolic link', zip([{ name: 'a', mode: 0o120777 }]), 'links'],
  ['a path that leaves the folder', zip([readme, { name: 'a/../../etc/passwd' }]), 'unsafe'],
  ['a Windows path that leaves the folder', zip([{ name: '..\\..\\evil.exe' }]), 'unsafe'],
  ['an absolute name', zip([{ name: '/etc/passwd' }]), 'unsafe'],
  ['a drive letter', zip([{ name: 'C:\\Windows\\a' }]), 'unsafe'],
  ['a NUL in a name', zip([{ name: 'a\0.txt' }]), 'unsafe'],
  ['no files', zip([]), 'empty'],
  ['no central directory', text('PK\x03\x04 and some more text'), 'damaged'],
  ['bytes after its end', Buffer.concat([zip([readme]), Buffer.from('<script>')]), 'damaged'],
  ['more entries than its count says', withEntryCountOfOne(zip([readme, { name: '../../etc/passwd' }])), 'damaged'],
  ['an unsafe name in its Unicode form', zip([{ name: 'a', unicodeName: '../a' }]), 'unsafe'],
  ['an unsafe name beside a safe Unicode form', zip([{ name: '../a', unicodeName: 'a' }]), 'unsafe'],
  ['a NUL in the Unicode form of a name', zip([{ name: 'a', unicodeName: 'a\0.txt' }]), 'unsafe'],
  ['a directory that is cut off', zip([readme, readme]).subarray(20), 'damaged'],
])('an archive with %s is rejected', async (_what, bytes, reason) =>
  expect((await check(bytes))?.message).toContain(reason),
)

it('a damaged archive is rejected, never an unexpected error', async () => {
  const whole = zip(many(3), { zip64: true })
  for (let length = 0; length < whole.length; length++) {
    expect((await check(whole.subarray(0, length)))?.message).toContain('damaged')
    const flipped = Uint8Array.from(whole)
    flipped[length] = (flipped[length] ?? 0) ^ 0xff
    await check(flipped)
  }
})
