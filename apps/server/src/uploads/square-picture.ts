import { appErrors, limits } from '@community/contract'
import type { SharpConstructor } from 'sharp'
import { AppError } from '../errors.ts'

const SIDE_PIXELS = 512
const TIMEOUT_SECONDS = 8
/** Pictures in the queue, a few seconds of work; further ones get 503. */
const QUEUE_LENGTH_MAX = 20

/** Loaded with the first picture, so that the server starts without 20 MB of decoders, and on platforms that lack them. */
let sharpPromise: Promise<SharpConstructor> | undefined
async function loadSharp(): Promise<SharpConstructor> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // Only three of its many decoders may process untrusted bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'],
  })
  return sharp
}

let queueLength = 0
let lastTask: Promise<unknown> = Promise.resolve()
/** One picture at a time: decoding takes up to 160 MB and one core. */
async function runOneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (queueLength >= QUEUE_LENGTH_MAX) throw new AppError(appErrors.unavailable)
  queueLength++
  const task = lastTask.then(work)
  lastTask = task.catch(() => {})
  return task.finally(() => queueLength--)
}

const isTooLarge = (error: unknown) => error instanceof Error && error.message.includes('pixel limit')

/**
 * Re-encodes a picture as a WebP of 512 × 512 pixels, upright and cropped to its centre, without metadata, further frames or appended
 * bytes. Throws `pictureTooLarge`, `pictureUnreadable`, or `unavailable` when the queue is full.
 */
export function createSquarePicture(read: () => Promise<Buffer>): Promise<Buffer> {
  return runOneAtATime(async () => {
    const sharp = await (sharpPromise ??= loadSharp())
    const bytes = await read()
    try {
      return await sharp(bytes, {
        limitInputPixels: limits.PICTURE_PIXELS_MAX,
        failOn: 'error',
        pages: 1,
        sequentialRead: true,
      })
        .autoOrient()
        .resize(SIDE_PIXELS, SIDE_PIXELS, { fit: 'cover' })
        .webp({ quality: 82 })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .toBuffer()
    } catch (error) {
      throw new AppError(isTooLarge(error) ? appErrors.pictureTooLarge : appErrors.pictureUnreadable)
    }
  })
}
