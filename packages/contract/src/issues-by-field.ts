import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Flattens zod issues: for a union, the issues of the option with the input's type replace the generic message of the union. */
export const issuesByField = (issues: readonly Issue[]): Issue[] =>
  issues.flatMap((issue) => {
    const option =
      issue.code === 'invalid_union' &&
      issue.errors.find((inner) => inner.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'))
    return option ? option.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) : issue
  })
