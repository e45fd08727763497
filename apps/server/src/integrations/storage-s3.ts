import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Settings } from '../config/s3-settings.ts'
import { enforceSize } from './enforce-size.ts'
import { OPEN_BODIES_MAX, checkKey, folderOfPrefix, type Storage, StorageUnavailable } from './storage.ts'

interface S3Error {
  name?: string
  $metadata?: { httpStatusCode?: number }
}
/** In milliseconds. Clients wait 10 s for a response, and their sockets are closed after 30 s. */
const TIMEOUTS_MS = {
  connect: 2000,
  /** For a request with its retries, an upload from memory, and a stream without progress. */
  response: 6000,
  /** For the whole upload of a stream. */
  put: 25_000,
}
/** False for a missing bucket, except in the response to HEAD, which names no error. */
const isMissingObject = (error: unknown): boolean => {
  const { name, $metadata } = error as S3Error
  return $metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket'
}

/** Statuses that concern all objects: 401 and 403 mean the credentials or the bucket's policy, which an operator has to mend. */
const SHARED_STATUSES = [401, 403, 408, 429]
/** Whether the storage may have rejected an operation because of its object: a wrong region or endpoint has such statuses too. */
const mayConcernObject = (error: unknown): boolean => {
  const { name, $metadata: { httpStatusCode: status = 0 } = {} } = error as S3Error
  return status >= 400 && status < 500 && !SHARED_STATUSES.includes(status) && name !== 'NoSuchBucket'
}

export const createS3Client = (settings: S3Settings, maxSockets = 50): S3Client =>
  new S3Client({
    ...(settings.endpoint !== undefined && { endpoint: settings.endpoint }),
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    maxAttempts: 3,
    // The default adds checksums as trailers, which some servers refuse and others store as if they were content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: TIMEOUTS_MS.connect,
      requestTimeout: TIMEOUTS_MS.response,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
    // Errors are thrown and logged by the caller.
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })

/** S3-compatible storage: MinIO, AWS, R2, Ceph. Creates a missing bucket. */
export function createS3Storage(settings: S3Settings): Storage & { close(): void } {
  const { bucket: Bucket } = settings
  const client = createS3Client(settings)
  // A body holds its connection until it is read, so uploads and checks use another client. 50 more for bodies being aborted.
  const downloadClient = createS3Client(settings, OPEN_BODIES_MAX + 50)

  async function request<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T | null> {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), TIMEOUTS_MS.response)
    try {
      return await send({ abortSignal: timeout.signal })
    } catch (error) {
      if (error instanceof TypeError) throw error
      if (isMissingObject(error)) return null
      // The bucket may have been deleted: the next upload checks again.
      bucketExists = undefined
      const isOfObject = mayConcernObject(error) && (await isBucketAvailable())
      throw new StorageUnavailable(error, isOfObject ? 'object' : 'storage')
    } finally {
      // The timeout does not apply to the response body, whose reader may be slow.
      clearTimeout(timer)
    }
  }

  const isBucketAvailable = () =>
    client.send(new HeadBucketCommand({ Bucket }), { abortSignal: AbortSignal.timeout(TIMEOUTS_MS.response) }).then(
      () => true,
      () => false,
    )

  let bucketExists: Promise<void> | undefined
  const ensureBucket = (): Promise<void> =>
    (bucketExists ??= (async () => {
      const head = await request((options) => client.send(new HeadBucketCommand({ Bucket }), options))
      if (!head) await request((options) => client.send(new CreateBucketCommand({ Bucket }), options))
    })().catch((error: unknown) => {
      // The next call tries again.
      bucketExists = undefined
      throw error
    }))

  // Checked early, because creating the bucket takes seconds. The next call reports a failure.
  ensureBucket().catch(() => {})

  async function putStream(input: PutObjectCommandInput, body: Readable, size: number): Promise<void> {
    const abort = new AbortController()
    const stallTimer = setTimeout(() => abort.abort(), TIMEOUTS_MS.response)
    const sizedBody = enforceSize(size, () => stallTimer.refresh())
    const flow = pipeline(body, sizedBody).catch((error: unknown) => {
      // Otherwise the server would wait for the missing bytes.
      abort.abort()
      throw error
    })
    const sending = client
      .send(new PutObjectCommand({ ...input, Body: sizedBody }), {
        abortSignal: abort.signal,
        requestTimeout: TIMEOUTS_MS.put,
      })
      .finally(() => {
        clearTimeout(stallTimer)
        sizedBody.destroy()
      })
    const [flowed, sent] = await Promise.allSettled([flow, sending])
    if (flowed.status === 'rejected' && flowed.reason instanceof RangeError) throw flowed.reason
    if (sent.status === 'rejected') throw sent.reason
  }

  return {
    async put(key, body, { contentType, size }) {
      const input = { Bucket, Key: checkKey(key), ContentType: contentType, ContentLength: size }
      await ensureBucket()
      try {
        if (body instanceof Readable) await putStream(input, body, size)
        else if (body.length !== size) throw new RangeError(`${body.length} bytes received, ${size} declared`)
        else {
          const abortSignal = AbortSignal.timeout(TIMEOUTS_MS.response)
          await client.send(new PutObjectCommand({ ...input, Body: body }), { abortSignal })
        }
      } catch (error) {
        if (error instanceof RangeError) throw error
        // The bucket may have been deleted: the next call checks again.
        bucketExists = undefined
        throw new StorageUnavailable(error)
      }
    },
    async open(key, range) {
      const Key = checkKey(key)
      const Range = range && `bytes=${range.start}-${range.end ?? ''}`
      const found = await request((options) =>
        downloadClient.send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }), options),
      )
      if (!found) return null
      const totalSize = found.ContentRange?.split('/')[1]
      return {
        body: found.Body as Readable,
        size: totalSize === undefined ? (found.ContentLength ?? 0) : Number(totalSize),
        contentType: found.ContentType ?? 'application/octet-stream',
      }
    },
    async head(key) {
      const Key = checkKey(key)
      const found = await request((options) => client.send(new HeadObjectCommand({ Bucket, Key }), options))
      if (!found) return null
      const { ContentLength: size = 0, ContentType: contentType = 'application/octet-stream' } = found
      return { size, contentType, modifiedAt: found.LastModified ?? new Date(0) }
    },
    async remove(key) {
      const Key = checkKey(key)
      await request((options) => client.send(new DeleteObjectCommand({ Bucket, Key }), options))
    },
    async *list(prefix) {
      folderOfPrefix(prefix)
      let token: string | undefined
      do {
        const page = await request((options) =>
          client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: token }), options),
        )
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page?.Contents ?? [])
          yield { key: Key, size: Size, modifiedAt: LastModified }
        token = page?.NextContinuationToken
      } while (token !== undefined)
    },
    async check() {
      await ensureBucket()
      if (!(await request((options) => client.send(new HeadBucketCommand({ Bucket }), options))))
        throw new StorageUnavailable(new Error('no such bucket'))
    },
    close() {
      client.destroy()
      downloadClient.destroy()
    },
  }
}
