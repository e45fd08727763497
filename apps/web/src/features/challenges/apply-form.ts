import { ApplyInput } from '@community/contract'
import { z } from 'zod'
import { isAllowedType, isSmallEnough } from './file-problem.ts'

const { teamId, content, applicationNotes } = ApplyInput.shape

const shape = { teamId, applicationNotes }

/** What the dialog asks for: the contract's application, with the file itself where its address will stand. */
export const ApplyForm = z.discriminatedUnion('type', [
  z.object({ ...shape, type: z.literal('link'), link: content }),
  z.object({
    ...shape,
    type: z.literal('upload'),
    file: z
      .instanceof(File, { error: 'Please choose a file' })
      .refine(isSmallEnough, 'The file is larger than 10 MB')
      .refine(isAllowedType, 'Only JPEG, PNG, GIF, PDF and ZIP files are allowed'),
  }),
])
export type ApplyForm = z.output<typeof ApplyForm>
