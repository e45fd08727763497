import type { contract, Output, ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { DEFAULT_PAGES } from './pages/default-pages.ts'
import { pageValues } from './pages/page-values.ts'
import { findPages } from './queries.ts'

type PageRoute = typeof contract.system.page

/** The privacy or terms page in a language: the administrators' text, or the default one. */
export async function getPage(
  { db, deps }: Context,
  { page, language }: ParsedInput<PageRoute>,
): Promise<Output<PageRoute>> {
  const own = (await findPages(db))[page]?.[language]
  const markdown = own ?? DEFAULT_PAGES[page][language](pageValues(deps.config, language))
  return { page: { markdown, isDefault: own === undefined } }
}
