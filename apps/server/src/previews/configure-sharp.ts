import type { SharpConstructor } from 'sharp'

/** Options for reading files from outside; add `limitInputPixels`. Only the first frame is read, and damaged files are rejected. */
export const READ_OPTIONS = { failOn: 'error', pages: 1, sequentialRead: true } as const

/** Limits sharp, in the whole process, to what is safe with files from outside. */
export function configureSharp(sharp: SharpConstructor): void {
  sharp.cache(false)
  sharp.concurrency(1)
  // Only three of its many decoders may process untrusted bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'] })
}
