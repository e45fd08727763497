import { createHash } from 'node:crypto'

/** A strong ETag of a response's bytes. Send it weak (`W/`) where all content codings share it. */
export const createEtag = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

/** Whether an `If-None-Match` header names `etag`. Compares weakly, because proxies weaken ETags. */
export const matchesEtag = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false
