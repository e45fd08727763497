import { z } from 'zod'
import { Count } from '../primitives.ts'

export const StoredFile = z
  .object({
    id: z.uuid(),
    secureUrl: z.string(),
    originalName: z.string(),
    fileSize: Count.describe('Bytes'),
    mimeType: z.string(),
  })
  .meta({ id: 'StoredFile' })
export type StoredFile = z.output<typeof StoredFile>
