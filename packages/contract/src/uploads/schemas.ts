import { z } from 'zod'

export const StoredFile = z
  .object({
    id: z.uuid(),
    secureUrl: z.string(),
    originalName: z.string(),
    fileSize: z.int().describe('Bytes'),
    mimeType: z.string(),
  })
  .meta({ id: 'StoredFile' })
export type StoredFile = z.output<typeof StoredFile>
