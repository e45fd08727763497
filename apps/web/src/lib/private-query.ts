import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Procedure } from './procedure.ts'

/** Reads by a mutation, because the server logs the URLs of queries: for input that gives access. `path` is as in `invalidates`. */
export const usePrivateQuery = <Input, Output>(
  path: string,
  procedure: Procedure<Input, Output>,
  input: NoInfer<Input>,
): UseQueryResult<Output> =>
  useQuery({ queryKey: [path.split('.'), input], queryFn: () => procedure.mutate(input), staleTime: 0 })
