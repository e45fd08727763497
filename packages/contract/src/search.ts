import { z } from 'zod'
import { searchBusy, searchTooBroad } from './error-catalogue.ts'
import { SEARCH_LENGTH_MAX } from './limits.ts'

/** A search term; `where` names the searched fields in the documentation. */
export const searchIn = (where: string) =>
  z
    .string()
    .max(SEARCH_LENGTH_MAX)
    .optional()
    .describe(`In ${where}. One or two letters match the beginnings of words, longer searches any part of the text.`)

/** Errors of every procedure with a search. */
export const searchErrors = { searchTooBroad, searchBusy }
