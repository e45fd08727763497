/** Whether an `If-None-Match` header names `etag`. Compares weakly, because proxies weaken ETags. */
export const matchesEtag = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false
