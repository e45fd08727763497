import type { SharpConstructor } from 'sharp'

/** How pictures from outside are read, besides their `limitInputPixels`: the first frame, without tolerating errors. */
export const READ_OPTIONS = { failOn: 'error', pages: 1, sequentialRead: true } as const

/** Makes sharp safe for untrusted bytes, in this process. */
export function configureSharp(sharp: SharpConstructor): void {
  sharp.cache(false)
  sharp.concurrency(1)
  // Only three of its many decoders may process untrusted bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'] })
}
