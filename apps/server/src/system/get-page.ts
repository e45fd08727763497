import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { DEFAULT_PAGES } from './pages/default-pages.ts'
import { pageValues } from './pages/page-values.ts'
import { findPages } from './queries.ts'

/** The privacy or terms page in a language: the administrators' text, or the default one. */
export const getPage: UseCase<typeof contract.system.page> = async ({ db, deps }, { page, language }) => {
  const own = (await findPages(db))[page]?.[language]
  const markdown = own ?? DEFAULT_PAGES[page][language](pageValues(deps.config, language))
  return { page: { markdown, isDefault: own === undefined } }
}
