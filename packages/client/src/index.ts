export { type CommunityClient, type CommunityOptions, createCommunityClient } from './client.ts'
export { ApiError, dataOf, type Failure } from './failure.ts'
export type { DataOf, InitOf, ItemOf, ListPath } from './pages.ts'
export type { components, operations, paths } from './schema.gen.ts'
