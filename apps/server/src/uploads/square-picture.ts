import { appErrors, limits } from '@community/contract'
import type { SharpConstructor } from 'sharp'
import { AppError } from '../errors.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { configureSharp, READ_OPTIONS } from '../previews/configure-sharp.ts'

const SIDE_PIXELS = 512
const TIMEOUT_SECONDS = 8
/** Pictures that wait, a few seconds of work; further ones get 503. */
const WAITING_MAX = 19

/** Loaded with the first picture, so that the server starts without 20 MB of decoders, and on platforms that lack them. */
let sharpPromise: Promise<SharpConstructor> | undefined
async function loadSharp(): Promise<SharpConstructor> {
  const { default: sharp } = await import('sharp')
  configureSharp(sharp)
  return sharp
}

/** One picture at a time: decoding takes up to 160 MB and one core. */
const limiter = createConcurrencyLimiter({ max: 1, maxWaiting: WAITING_MAX, maxWaitMs: Infinity })

const isTooLarge = (error: unknown) => error instanceof Error && error.message.includes('pixel limit')

/**
 * Re-encodes a picture as a WebP of 512 × 512 pixels, upright and cropped to its centre, without metadata, further frames or appended
 * bytes. Throws `pictureTooLarge`, `pictureUnreadable`, or `unavailable` when the queue is full.
 */
export function createSquarePicture(read: () => Promise<Buffer>): Promise<Buffer> {
  return limiter.run('', async () => {
    const sharp = await (sharpPromise ??= loadSharp())
    const bytes = await read()
    try {
      return await sharp(bytes, { ...READ_OPTIONS, limitInputPixels: limits.PICTURE_PIXELS_MAX })
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
