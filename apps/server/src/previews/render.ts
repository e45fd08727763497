import type { StoredPreview } from '@community/db/schema'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { configureSharp, READ_OPTIONS } from './configure-sharp.ts'
import { FORMATS, WIDTHS } from './preview.ts'

/** Allows phone pictures of 50 megapixels. A limit, because a small file can decode to a picture of any size. */
const PIXELS_MAX = 52_000_000
const TIMEOUT_SECONDS = 20
const HEIGHT_BY_WIDTH_MAX = 2
/** What transparent parts are drawn on. */
const [LIGHT, DARK] = ['#ffffff', '#24292f'] as const
/** The standard deviation of a channel, out of 255, below which a picture counts as blank. */
const BLANK_DEVIATION_MAX = 4
const WIDTH_MAX = Math.max(...WIDTHS)
const BOX = { width: WIDTH_MAX, height: WIDTH_MAX * HEIGHT_BY_WIDTH_MAX }

export interface RenderedPreview extends Omit<StoredPreview, 'thumbnails'> {
  thumbnails: (StoredPreview['thumbnails'][number] & { bytes: Buffer })[]
}

configureSharp(sharp)

/**
 * Opens the first frame, upright. Crops a picture more than twice as high as wide to its top: a screenshot of a whole page, scaled down to
 * fit, could not be read. sharp does not copy metadata, such as the place of a photo, to what it renders.
 */
async function openPicture(bytes: Uint8Array): Promise<Sharp> {
  const picture = sharp(bytes, { ...READ_OPTIONS, limitInputPixels: PIXELS_MAX }).autoOrient()
  const { width, height } = (await picture.metadata()).autoOrient
  const shownHeight = width * HEIGHT_BY_WIDTH_MAX
  // Only if needed: what is cropped is decoded at full size, while a JPEG is scaled down as it is read.
  return height > shownHeight ? picture.extract({ left: 0, top: 0, width, height: shownHeight }) : picture
}

async function openFirstPage(bytes: Uint8Array): Promise<{ picture: Sharp; pageCount: number }> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const document = await (await PDFiumLibrary.init()).loadDocument(bytes)
  const page = document.getPage(0)
  const size = page.getOriginalSize()
  const scale = Math.min(BOX.width / size.originalWidth, BOX.height / size.originalHeight)
  const { data, width, height } = await page.render({ scale, render: 'bitmap', renderFormFields: true })
  return { picture: sharp(data, { raw: { width, height, channels: 4 } }), pageCount: document.getPageCount() }
}

/** Renders the preview of a file. Throws if it is damaged, locked or too large. Run it in a process of its own. */
export async function renderPreview(bytes: Uint8Array, mimeType: string): Promise<RenderedPreview> {
  const { picture, pageCount } =
    mimeType === 'application/pdf' ? await openFirstPage(bytes) : { picture: await openPicture(bytes), pageCount: null }
  const pixels = await decode(picture.resize({ ...BOX, fit: 'inside', withoutEnlargement: true }).toColourspace('srgb'))
  const shown = await drawOnGround(pixels)
  const thumbnails: RenderedPreview['thumbnails'] = []
  // A picture that is not wider than the smaller size gets that size only.
  for (const size of WIDTHS)
    if (size === WIDTHS[0] || shown.info.width > WIDTHS[0])
      for (const format of FORMATS) thumbnails.push(await encode(open(shown), size, format))
  return { color: await meanColor(shown), pageCount, thumbnails }
}

interface Pixels {
  data: Buffer
  info: OutputInfo
}
const decode = (picture: Sharp): Promise<Pixels> =>
  picture.timeout({ seconds: TIMEOUT_SECONDS }).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
const open = ({ data, info: { width, height, channels } }: Pixels) => sharp(data, { raw: { width, height, channels } })

/** Draws transparent pixels on a light ground, or on a dark one if nothing could be seen on the light one, such as of a white logo. */
async function drawOnGround(pixels: Pixels): Promise<Pixels> {
  const drawOn = (background: string) => decode(open(pixels).flatten({ background }))
  const onLight = await drawOn(LIGHT)
  if (!(await isBlank(onLight))) return onLight
  const onDark = await drawOn(DARK)
  return (await isBlank(onDark)) ? onLight : onDark
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

/** Whether all pixels have about the same colour. */
async function isBlank(pixels: Pixels): Promise<boolean> {
  const { channels } = await open(pixels).stats()
  return channels.every(({ stdev }) => stdev <= BLANK_DEVIATION_MAX)
}

async function meanColor(pixels: Pixels): Promise<string> {
  const { channels } = await open(pixels).stats()
  const [red = 0, green = red, blue = red] = channels.map(({ mean }) => Math.round(mean))
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
