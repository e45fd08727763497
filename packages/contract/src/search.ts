import { z } from 'zod'
import { searchBusy, searchTooBroad } from './error-catalogue.ts'
import { SEARCH_LENGTH_MAX } from './limits.ts'

/** What is searched for; `where` names the texts searched, for the document. */
export const searchIn = (where: string) =>
  z
    .string()
    .max(SEARCH_LENGTH_MAX)
    .optional()
    .describe(`In ${where}. One or two letters match the beginnings of words, longer searches any part of the text.`)

/** What a call that searches may answer besides. */
export const searchErrors = { searchTooBroad, searchBusy }
