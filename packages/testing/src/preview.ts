import type { Preview } from '@community/contract'

/** A preview with thumbnails twice as wide as high; `pageCount` makes it that of a document. */
export const aPreview = (pageCount: number | null = null): Preview => ({
  color: '#2a6a93',
  pageCount,
  thumbnails: [480, 960].flatMap((width) =>
    (['avif', 'webp'] as const).map((format) => ({
      url: `https://community.example.ma/files/a1/thumbnails/${width}.${format}`,
      width,
      height: width / 2,
      type: `image/${format}` as const,
    })),
  ),
})
