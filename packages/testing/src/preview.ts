import type { Preview } from '@community/contract'

/** A preview whose thumbnails have an aspect ratio of 2:1: of a picture, or with `pageCount` of a PDF. */
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
