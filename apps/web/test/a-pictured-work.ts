import type { Submission } from '@community/contract'
import { aPreview, aSubmission } from '@community/testing'

/** An uploaded picture with its thumbnails. */
export const aPicturedWork = (overrides: Partial<Submission> = {}): Submission =>
  aSubmission(1, {
    type: 'upload',
    content: 'https://community.example.ma/files/a1/x',
    fileInfo: { originalName: 'x', fileSize: 734_003, mimeType: 'image/png' },
    preview: aPreview(),
    ...overrides,
  })

/** The text that stands for its preview. */
export const PICTURE_TEXT = 'Image submitted by Atlas Lions for “Challenge 1”'
