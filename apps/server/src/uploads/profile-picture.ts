import { appErrors } from '@community/contract'
import type { SharpConstructor } from 'sharp'
import { AppError } from '../errors.ts'

/** Pixels a picture may have: the decoded form of a small file can be huge. */
const PIXELS_MAX = 40_000_000
const SIDE = 512
const SECONDS_MAX = 8
/** Pictures that may wait for their turn: a few seconds of work. Beyond it the answer is 503. */
const WAITING_MAX = 20

/** Loaded with the first picture: a start needs no 20 MB of decoders, nor fails where they do not run. */
let loaded: Promise<SharpConstructor> | undefined
async function loadSharp(): Promise<SharpConstructor> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // Of the dozens of formats it knows, three decoders are ever given a stranger's bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'],
  })
  return sharp
}

let waiting = 0
let last: Promise<unknown> = Promise.resolve()
/** One picture at a time: a decoded one takes up to 160 MB, and the other cores keep answering. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= WAITING_MAX) throw new AppError(appErrors.unavailable)
  waiting++
  const mine = last.then(work)
  last = mine.catch(() => {})
  return mine.finally(() => waiting--)
}

const isTooLarge = (error: unknown) => error instanceof Error && error.message.includes('pixel limit')

/**
 * Draws a picture anew: upright, its middle cut to a square of 512 pixels, as WebP, without what else was in the file (place,
 * camera, further frames, hidden bytes). Refuses with `pictureTooLarge`, `pictureUnreadable`, or `unavailable` when too many wait.
 */
export function squarePicture(read: () => Promise<Buffer>): Promise<Buffer> {
  return inTurn(async () => {
    const sharp = await (loaded ??= loadSharp())
    const bytes = await read()
    try {
      return await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1, sequentialRead: true })
        .autoOrient()
        .resize(SIDE, SIDE, { fit: 'cover' })
        .webp({ quality: 82 })
        .timeout({ seconds: SECONDS_MAX })
        .toBuffer()
    } catch (error) {
      throw new AppError(isTooLarge(error) ? appErrors.pictureTooLarge : appErrors.pictureUnreadable)
    }
  })
}
