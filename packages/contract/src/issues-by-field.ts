import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/**
 * What a schema refused, field by field: of a union the issues of the option that is of the input's kind, where there is one,
 * in place of the words of the whole union.
 */
export const issuesByField = (issues: readonly Issue[]): Issue[] =>
  issues.flatMap((issue) => {
    const option =
      issue.code === 'invalid_union' &&
      issue.errors.find((inner) => inner.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'))
    return option ? option.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) : issue
  })
