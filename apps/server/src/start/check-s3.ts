import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { codesOf } from '@community/db'
import { ConfigError } from '../config.ts'
import type { S3Settings } from '../config/s3-settings.ts'
import { createS3Client } from '../integrations/storage-s3.ts'
import { unavailableService, describeError, unusableSetting } from './setting-errors.ts'

/** Milliseconds for the whole check, which the start waits for: an address may drop all packets. */
const TIMEOUT_MS = 5000
/** A key for one check; cannot collide with those of files, which start with a date. */
const createProbeKey = () => `start-check-${randomUUID()}`
const CONTENT = 'written at a start'

const errorName = (error: unknown) => (error as Error).name

/** Maps S3 error codes to the setting that is wrong; other errors are about the endpoint. */
function toSettingError(error: unknown, settings: S3Settings): ReturnType<typeof unusableSetting> {
  const { bucket, region, accessKeyId } = settings
  const endpoint = settings.endpoint ?? `Amazon S3 in ${region}`
  switch (errorName(error)) {
    case 'InvalidAccessKeyId':
      return unusableSetting('S3_ACCESS_KEY_ID', `${endpoint} does not know the key "${accessKeyId}": correct it`)
    case 'SignatureDoesNotMatch':
      return unusableSetting(
        'S3_SECRET_ACCESS_KEY',
        `it does not belong to the key "${accessKeyId}" at ${endpoint}: correct it`,
      )
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'IllegalLocationConstraintException':
      return unusableSetting(
        'S3_REGION',
        `the bucket "${bucket}" at ${endpoint} is not in "${region}": name its region`,
      )
    case 'InvalidBucketName':
      return unusableSetting('S3_BUCKET', `${endpoint} does not accept the bucket name "${bucket}": name another`)
    case 'BucketAlreadyExists':
      return unusableSetting(
        'S3_BUCKET',
        `the bucket "${bucket}" at ${endpoint} belongs to somebody else: name another`,
      )
    case 'AccessDenied':
      return unusableSetting(
        'S3_BUCKET',
        `the key "${accessKeyId}" may not write to the bucket "${bucket}" at ${endpoint}: grant it reading, writing and deleting there, or name another`,
      )
  }
  if (codesOf(error).includes('ENOTFOUND'))
    return unusableSetting('S3_ENDPOINT', `unknown host in ${endpoint}: correct the address`)
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
  if (status === undefined && !(error instanceof NotS3))
    return unavailableService(
      'S3_ENDPOINT',
      `nothing answers at ${endpoint} (${describeError(error)}): start it there, or correct the address`,
    )
  if (status !== undefined && status >= 500)
    return unavailableService('S3_ENDPOINT', `${endpoint} is not ready (${errorName(error)}, HTTP ${status})`)
  if (status === 401 || status === 403)
    return unusableSetting(
      'S3_ACCESS_KEY_ID',
      `${endpoint} refuses the key "${accessKeyId}" (${errorName(error)}): correct it`,
    )
  const response = status === undefined ? describeError(error) : `${errorName(error)}, HTTP ${status}`
  return unusableSetting(
    'S3_ENDPOINT',
    `${endpoint} does not answer as an S3-compatible storage (${response}): it must lead to one, such as http://localhost:9000`,
  )
}

/** The endpoint answers but is not S3. */
class NotS3 extends Error {}

/**
 * Writes, reads and deletes an object, so that wrong settings stop the start rather than the first upload. Creates a missing bucket.
 * Throws `ServiceUnavailable` if the settings may be correct.
 */
export async function checkS3(settings: S3Settings): Promise<void> {
  const client = createS3Client(settings)
  const abortSignal = AbortSignal.timeout(TIMEOUT_MS)
  const { bucket: Bucket } = settings
  const Key = createProbeKey()
  const put = () => client.send(new PutObjectCommand({ Bucket, Key, Body: CONTENT }), { abortSignal })
  try {
    await put().catch(async (error: unknown) => {
      if (errorName(error) !== 'NoSuchBucket') throw error
      await client.send(new CreateBucketCommand({ Bucket }), { abortSignal }).catch((reason: unknown) => {
        // Created by another server that starts concurrently.
        if (errorName(reason) === 'BucketAlreadyOwnedByYou') return
        if (errorName(reason) !== 'AccessDenied') throw reason
        throw unusableSetting(
          'S3_BUCKET',
          `there is no bucket "${Bucket}", and the key "${settings.accessKeyId}" may not create one: create it, or name another`,
        )
      })
      await put()
    })
    const stored = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal })
    if ((await stored.Body?.transformToString()) !== CONTENT) throw new NotS3('a stored object cannot be read back')
    await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal })
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw toSettingError(abortSignal.aborted ? new Error('no answer in time') : error, settings)
  } finally {
    client.destroy()
  }
}
