import { appErrors, ApplyInput, SubmitInput } from '@community/contract'
import { registerMessage } from '@community/contract/registered-messages'
import { z } from 'zod'
import { isAllowedType, isSmallEnough } from './upload-rules.ts'

const { teamId, content, applicationNotes: notes } = ApplyInput.shape

/** The fields of the work, with the file itself instead of its URL. */
const link = { type: z.literal('link'), link: content, notes }
const upload = {
  type: z.literal('upload'),
  file: z
    .instanceof(File, { error: 'Please choose a file' })
    .refine(isSmallEnough, registerMessage(appErrors.fileTooLarge))
    .refine(isAllowedType, appErrors.fileTypeRefused.message),
  notes,
}

/** A chef's application for one of their teams. */
export const ApplyForm = z.discriminatedUnion('type', [z.object({ teamId, ...link }), z.object({ teamId, ...upload })])
export type ApplyForm = z.output<typeof ApplyForm>

/** A member's submission for the team with this name. */
const { teamName } = SubmitInput.shape
export const SubmitForm = z.discriminatedUnion('type', [
  z.object({ teamName, ...link }),
  z.object({ teamName, ...upload }),
])
export type SubmitForm = z.output<typeof SubmitForm>

/** After a rejection: the same work again, or new work. */
export const ReapplyForm = z.discriminatedUnion('type', [
  z.object({ type: z.literal('same') }),
  z.object(link),
  z.object(upload),
])
export type ReapplyForm = z.output<typeof ReapplyForm>

/** The work of any of these forms. */
export type ChosenWork = { type: 'same' } | { type: 'link'; link: string } | { type: 'upload'; file: File }

/** The unvalidated values of any of these forms, with the fields of every kind of work. */
export interface WorkDraft {
  teamId: string
  teamName: string
  type: 'link' | 'upload' | 'same'
  link: string
  file: File | null
  notes: string
}

export const EMPTY_DRAFT: WorkDraft = { teamId: '', teamName: '', type: 'link', link: '', file: null, notes: '' }
