import type { StoredPreview } from '@community/db/schema'
import sharp, { type Sharp } from 'sharp'
import { FORMATS, WIDTHS } from './preview.ts'

/** Allows phone pictures of 50 megapixels. A limit, because a small file can decode to a picture of any size. */
const PIXELS_MAX = 52_000_000
const TIMEOUT_SECONDS = 20
const HEIGHT_BY_WIDTH_MAX = 2
const WIDTH_MAX = Math.max(...WIDTHS)
const BOX = { width: WIDTH_MAX, height: WIDTH_MAX * HEIGHT_BY_WIDTH_MAX }

export interface RenderedPreview extends Omit<StoredPreview, 'thumbnails'> {
  thumbnails: (StoredPreview['thumbnails'][number] & { bytes: Buffer })[]
}

sharp.cache(false)
sharp.concurrency(1)
// Only three of its many decoders may process untrusted bytes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'] })

/** Opens the first frame, upright. sharp does not copy metadata to what it renders. */
const openPicture = (bytes: Uint8Array): Sharp =>
  sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1, sequentialRead: true }).autoOrient()

async function openFirstPage(bytes: Uint8Array): Promise<{ picture: Sharp; pageCount: number }> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const document = await (await PDFiumLibrary.init()).loadDocument(bytes)
  const page = document.getPage(0)
  const size = page.getOriginalSize()
  const scale = Math.min(BOX.width / size.originalWidth, BOX.height / size.originalHeight)
  const { data, width, height } = await page.render({ scale, render: 'bitmap' })
  return { picture: sharp(data, { raw: { width, height, channels: 4 } }), pageCount: document.getPageCount() }
}

/** Renders the preview of a file. Throws if it is damaged, locked or too large. Run it in a process of its own. */
export async function renderPreview(bytes: Uint8Array, mimeType: string): Promise<RenderedPreview> {
  const { picture, pageCount } =
    mimeType === 'application/pdf' ? await openFirstPage(bytes) : { picture: openPicture(bytes), pageCount: null }
  const { data, info } = await picture
    .resize({ ...BOX, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .timeout({ seconds: TIMEOUT_SECONDS })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const decoded = () => sharp(data, { raw: { width, height, channels } })
  const thumbnails: RenderedPreview['thumbnails'] = []
  // A file that is no wider than the smaller size has no larger one.
  for (const size of WIDTHS)
    if (size === WIDTHS[0] || width > WIDTHS[0])
      for (const format of FORMATS) thumbnails.push(await encode(decoded(), size, format))
  return { color: await meanColor(decoded()), pageCount, thumbnails }
}

/** An effort of 3 takes a third of the CPU time of the default 4; pictures of the same quality have up to 12 % more bytes. */
const OPTIONS = { avif: { quality: 50, effort: 3 }, webp: { quality: 75 } } as const

async function encode(picture: Sharp, size: number, format: (typeof FORMATS)[number]) {
  const { data, info } = await picture
    .resize({ width: size, height: size * HEIGHT_BY_WIDTH_MAX, fit: 'inside', withoutEnlargement: true })
    .toFormat(format, OPTIONS[format])
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const type = `image/${format}` as const
  return { name: `${size}.${format}`, width, height, type, size: data.length, bytes: data }
}

async function meanColor(picture: Sharp): Promise<string> {
  const { channels } = await picture.stats()
  const [red = 0, green = red, blue = red] = channels.map(({ mean }) => Math.round(mean))
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
