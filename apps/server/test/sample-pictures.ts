import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

type Bytes = Uint8Array<ArrayBuffer>

export const RED = { r: 220, g: 20, b: 30 }
export const BLUE = { r: 20, g: 30, b: 220 }

/** A picture whose left half is red and whose right half is blue. */
const twoColours = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    {
      input: { create: { width: Math.ceil(width / 2), height, channels: 3, background: BLUE } },
      left: Math.floor(width / 2),
      top: 0,
    },
  ])

/** A phone's photo: rotated, with location, camera and a note in its metadata. */
export const photo = async (width = 1200, height = 800): Promise<Bytes> =>
  Uint8Array.from(
    await twoColours(width, height)
      .withExif({
        IFD0: { Make: 'SentinelPhone', ImageDescription: 'sentinel note', Orientation: '6' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '33/1 35/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '7/1 36/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer(),
  )

export const transparentPng = async (): Promise<Bytes> =>
  Uint8Array.from(
    await sharp({ create: { width: 40, height: 60, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer(),
  )

/** An animation of three frames, the first red. */
export const animatedGif = async (): Promise<Bytes> => {
  const frames = await Promise.all(
    [RED, BLUE, BLUE].map((background) =>
      sharp({ create: { width: 50, height: 50, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return Uint8Array.from(
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  )
}

/** A CMYK picture, rotated: red once upright. */
export const printPicture = async (): Promise<Bytes> =>
  Uint8Array.from(
    await sharp({ create: { width: 600, height: 300, channels: 3, background: RED } })
      .toColourspace('cmyk')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer(),
  )

/** A small PNG that claims huge dimensions. */
export function decompressionBomb(width: number, height: number): Bytes {
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(typed))
    return Buffer.concat([length, typed, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc(Math.min(height, 2000) * (Math.ceil(width / 8) + 1)))
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('IDAT', rows),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}
