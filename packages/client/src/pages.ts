import type { Client, MaybeOptionalInit } from 'openapi-fetch'
import { dataOf } from './failure.ts'
import type { paths } from './schema.gen.ts'

type ListData = { pagination: { nextCursor: string | null } }
type Success<Data> = { responses: { 200: { content: { 'application/json': { data: Data } } } } }

/** Paths of lists with a cursor. */
export type ListPath = {
  [Path in keyof paths]: paths[Path] extends { get: Success<ListData> } ? Path : never
}[keyof paths]
/** The content of a page, with its `pagination`. */
export type DataOf<Path extends ListPath> = paths[Path] extends { get: Success<infer Data> } ? Data : never
/** An entry of a list. */
export type ItemOf<Path extends ListPath> = {
  [Key in keyof DataOf<Path>]: DataOf<Path>[Key] extends readonly (infer Item)[] ? Item : never
}[keyof DataOf<Path>]
/** The parameters of a list, and the options of `fetch`. */
export type InitOf<Path extends ListPath> = MaybeOptionalInit<paths[Path], 'get'>
type Rest<Init> = undefined extends Init ? [init?: Init] : [init: Init]

export interface Pager {
  /** Iterates over the pages of a list. Throws `ApiError`. */
  pages<Path extends ListPath>(path: Path, ...init: Rest<InitOf<Path>>): AsyncGenerator<DataOf<Path>>
  /** Iterates over the entries of a list, and fetches a page when it is needed. Throws `ApiError`. */
  items<Path extends ListPath>(path: Path, ...init: Rest<InitOf<Path>>): AsyncGenerator<ItemOf<Path>>
}

// `Pager` is typed exactly for every list; the implementation only needs these types.
type AnyInit = { params?: { query?: object } } | undefined
type AnyGet = (path: string, init: object) => Promise<{ data?: { data: ListData }; response: Response }>

/** Iterators over the lists of a client. */
export function createPager({ GET }: Client<paths>): Pager {
  async function* pages(path: string, init?: AnyInit) {
    let cursor: string | null | undefined
    while (cursor !== null) {
      const query = { limit: 100, ...init?.params?.query, ...(cursor && { cursor }) }
      const page = await dataOf((GET as AnyGet)(path, { ...init, params: { ...init?.params, query } }))
      yield page
      cursor = page.pagination.nextCursor
    }
  }
  async function* items(path: string, init?: AnyInit) {
    // Each list has one array.
    for await (const page of pages(path, init)) yield* Object.values(page).find((value) => Array.isArray(value)) ?? []
  }
  return { pages, items } as unknown as Pager
}
