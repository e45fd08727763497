import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPdf } from '../../test/sample-documents.ts'
import {
  animatedGif,
  BLUE,
  decompressionBomb,
  photo,
  printPicture,
  RED,
  transparentPng,
} from '../../test/sample-pictures.ts'
import { jpeg, text } from '../../test/sample-files.ts'
import { renderPreview, type RenderedPreview } from './render.ts'

const sizesOf = ({ thumbnails }: RenderedPreview) =>
  thumbnails.map(({ name, width, height }) => `${name} ${width} x ${height}`)
/** The colour of a point of the first WebP; `x` and `y` are fractions of its size. */
async function colorAt({ thumbnails }: RenderedPreview, x: number, y: number) {
  const { bytes } = thumbnails.find(({ type }) => type === 'image/webp') ?? {}
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  return [...data.subarray(start, start + 3)]
}
const expectColor = (actual: number[], { r, g, b }: typeof RED) =>
  [r, g, b].forEach((part, index) => expect(Math.abs((actual[index] ?? 0) - part)).toBeLessThan(40))

// The module under test blocks the decoders that read its results.
sharp.unblock({ operation: ['VipsForeignLoadWebpBuffer', 'VipsForeignLoadHeifBuffer'] })

describe('renderPreview', () => {
  it('renders a photo upright, in two sizes and formats, with its colour and without its metadata', async () => {
    const preview = await renderPreview(await photo(1800, 1200), 'image/jpeg')
    expect(sizesOf(preview)).toEqual([
      '480.avif 480 x 720',
      '480.webp 480 x 720',
      '960.avif 960 x 1440',
      '960.webp 960 x 1440',
    ])
    expect(preview).toMatchObject({ pageCount: null, color: expect.stringMatching(/^#[67]\d[12].[67]./) })
    expectColor(await colorAt(preview, 0.5, 0.1), RED)
    expectColor(await colorAt(preview, 0.5, 0.9), BLUE)
    for (const { bytes, type, size, width } of preview.thumbnails) {
      const metadata = await sharp(bytes).metadata()
      expect(metadata).toMatchObject({ format: type === 'image/avif' ? 'heif' : 'webp', width })
      expect([metadata.exif, metadata.xmp, metadata.icc, metadata.orientation]).toEqual(Array(4).fill(undefined))
      expect(bytes.toString('latin1')).not.toContain('entinel')
      expect(size).toBe(bytes.length)
    }
  })

  it('does not enlarge a small picture, and omits the larger size', async () => {
    const preview = await renderPreview(await transparentPng(), 'image/png')
    expect(sizesOf(preview)).toEqual(['480.avif 40 x 60', '480.webp 40 x 60'])
    expect(preview.color).toBe('#ffffff')
  })

  it('renders the first frame of an animation', async () => {
    const preview = await renderPreview(await animatedGif(), 'image/gif')
    expect(sizesOf(preview)).toEqual(['480.avif 50 x 50', '480.webp 50 x 50'])
    expectColor(await colorAt(preview, 0.5, 0.5), RED)
  })

  it('converts the colours of print to those of a screen, upright', async () => {
    const preview = await renderPreview(await printPicture(), 'image/jpeg')
    expect(sizesOf(preview)[0]).toBe('480.avif 300 x 600')
    const [red = 0, green = 255, blue = 255] = await colorAt(preview, 0.5, 0.5)
    expect(Math.min(red - green, red - blue)).toBeGreaterThan(100)
  })

  it('keeps a grey picture grey', async () => {
    const grey = { width: 10, height: 10, channels: 3 as const, background: '#777777' }
    const bytes = await sharp({ create: grey }).toColourspace('b-w').png().toBuffer()
    expect((await renderPreview(bytes, 'image/png')).color).toBe('#777777')
  })

  it('shows the top of a very long picture at its full width', async () => {
    const long = { width: 1000, height: 20_000, channels: 3 as const, background: BLUE }
    const top = { create: { width: 1000, height: 1000, channels: 3 as const, background: RED } }
    const bytes = await sharp({ create: long })
      .composite([{ input: top, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const preview = await renderPreview(bytes, 'image/png')
    expect(sizesOf(preview)).toEqual([
      '480.avif 480 x 960',
      '480.webp 480 x 960',
      '960.avif 960 x 1920',
      '960.webp 960 x 1920',
    ])
    expectColor(await colorAt(preview, 0.5, 0.45), RED)
    expectColor(await colorAt(preview, 0.5, 0.55), BLUE)
  })

  it('shows the top of a long photo as it is seen, upright', async () => {
    const preview = await renderPreview(await photo(3000, 400), 'image/jpeg')
    expect(sizesOf(preview)[0]).toBe('480.avif 400 x 800')
    expectColor(await colorAt(preview, 0.5, 0.9), RED)
  })

  it('draws a white logo without a ground on a dark one', async () => {
    const logo = { create: { width: 60, height: 60, channels: 4 as const, background: '#ffffff' } }
    const bytes = await sharp({
      create: { width: 200, height: 100, channels: 4, background: { r: 255, g: 255, b: 255, alpha: 0 } },
    })
      .composite([{ input: logo, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const preview = await renderPreview(bytes, 'image/png')
    expectColor(await colorAt(preview, 0.1, 0.1), { r: 255, g: 255, b: 255 })
    expectColor(await colorAt(preview, 0.9, 0.9), { r: 36, g: 41, b: 47 })
  })

  it('renders the first page of a PDF and counts its pages', async () => {
    const preview = await renderPreview(createPdf(3), 'application/pdf')
    expect(preview.pageCount).toBe(3)
    expect(sizesOf(preview)).toContain('960.webp 960 x 480')
    expectColor(await colorAt(preview, 0.5, 0.5), RED)
  })

  it.each<[what: string, bytes: () => Uint8Array | Promise<Uint8Array>, mimeType: string]>([
    ['a decompression bomb', () => decompressionBomb(30_000, 30_000), 'image/png'],
    ['a picture that is only a signature', () => jpeg(), 'image/jpeg'],
    ['a picture cut in half', async () => (await photo()).subarray(0, 2000), 'image/jpeg'],
    ['an SVG', () => text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'image/png'],
    ['a PDF without content', () => text('%PDF-1.7\n'), 'application/pdf'],
    ['a PDF without pages', () => createPdf(0), 'application/pdf'],
  ])('rejects %s', async (_what, bytes, mimeType) => {
    await expect(renderPreview(await bytes(), mimeType).then(sizesOf)).rejects.toThrow()
  })
})
