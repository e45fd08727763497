import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { codesOf } from '@community/db'
import { ConfigError, type S3Settings } from '../config.ts'
import { s3ClientOf } from '../integrations/storage-s3.ts'
import { away, reasonOf, unusable } from './setting-errors.ts'

/** Milliseconds for the whole check, which the start waits for: an address may drop all packets. */
const PATIENCE = 5000
/** A key for one check; cannot collide with those of files, which start with a date. */
const probeKey = () => `start-check-${randomUUID()}`
const CONTENT = 'written at a start'

const nameOf = (error: unknown) => (error as Error).name

/** Maps S3 error codes to the setting that is wrong; other errors are about the endpoint. */
function problemOf(error: unknown, settings: S3Settings): ReturnType<typeof unusable> {
  const { bucket, region, accessKeyId } = settings
  const at = settings.endpoint ?? `Amazon S3 in ${region}`
  switch (nameOf(error)) {
    case 'InvalidAccessKeyId':
      return unusable('S3_ACCESS_KEY_ID', `${at} does not know the key "${accessKeyId}": correct it`)
    case 'SignatureDoesNotMatch':
      return unusable('S3_SECRET_ACCESS_KEY', `it does not belong to the key "${accessKeyId}" at ${at}: correct it`)
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'IllegalLocationConstraintException':
      return unusable('S3_REGION', `the bucket "${bucket}" at ${at} is not in "${region}": name its region`)
    case 'InvalidBucketName':
      return unusable('S3_BUCKET', `${at} takes no bucket of the name "${bucket}": name another`)
    case 'BucketAlreadyExists':
      return unusable('S3_BUCKET', `the bucket "${bucket}" at ${at} belongs to somebody else: name another`)
    case 'AccessDenied':
      return unusable(
        'S3_BUCKET',
        `the key "${accessKeyId}" may not write to the bucket "${bucket}" at ${at}: grant it reading, writing and deleting there, or name another`,
      )
  }
  if (codesOf(error).includes('ENOTFOUND'))
    return unusable('S3_ENDPOINT', `no machine is known by the name in ${at}: correct the address`)
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
  if (status === undefined && !(error instanceof NotStorage))
    return away('S3_ENDPOINT', `nothing answers at ${at} (${reasonOf(error)}): start it there, or correct the address`)
  if (status !== undefined && status >= 500)
    return away('S3_ENDPOINT', `${at} is not ready (${nameOf(error)}, HTTP ${status})`)
  if (status === 401 || status === 403)
    return unusable('S3_ACCESS_KEY_ID', `${at} refuses the key "${accessKeyId}" (${nameOf(error)}): correct it`)
  const answered = status === undefined ? reasonOf(error) : `${nameOf(error)}, HTTP ${status}`
  return unusable(
    'S3_ENDPOINT',
    `${at} does not answer as an S3-compatible storage (${answered}): it must lead to one, such as http://localhost:9000`,
  )
}

/** The endpoint answers but is not S3. */
class NotStorage extends Error {}

/**
 * Writes, reads and deletes an object, so that wrong settings stop the start rather than the first upload. Creates a missing bucket.
 * Throws `ServiceUnavailable` if the settings may be correct.
 */
export async function checkS3(settings: S3Settings): Promise<void> {
  const client = s3ClientOf(settings)
  const abortSignal = AbortSignal.timeout(PATIENCE)
  const { bucket: Bucket } = settings
  const Key = probeKey()
  const put = () => client.send(new PutObjectCommand({ Bucket, Key, Body: CONTENT }), { abortSignal })
  try {
    await put().catch(async (error: unknown) => {
      if (nameOf(error) !== 'NoSuchBucket') throw error
      await client.send(new CreateBucketCommand({ Bucket }), { abortSignal }).catch((refused: unknown) => {
        // Created by another server that starts concurrently.
        if (nameOf(refused) === 'BucketAlreadyOwnedByYou') return
        if (nameOf(refused) !== 'AccessDenied') throw refused
        throw unusable(
          'S3_BUCKET',
          `there is no bucket "${Bucket}", and the key "${settings.accessKeyId}" may not make one: make it, or name another`,
        )
      })
      await put()
    })
    const kept = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal })
    if ((await kept.Body?.transformToString()) !== CONTENT) throw new NotStorage('what was stored does not come back')
    await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal })
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw problemOf(abortSignal.aborted ? new Error('no answer in time') : error, settings)
  } finally {
    client.destroy()
  }
}
