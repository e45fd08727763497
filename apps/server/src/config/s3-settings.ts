import type { Variables } from './variables.ts'

export interface S3Settings {
  endpoint?: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
}

/** Undefined without a bucket. */
export const s3Settings = (values: Variables): S3Settings | undefined =>
  values.S3_BUCKET === undefined
    ? undefined
    : {
        endpoint: values.S3_ENDPOINT,
        region: values.S3_REGION,
        bucket: values.S3_BUCKET,
        accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
        secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
        // Self-hosted S3 servers address buckets by path, Amazon S3 by host.
        forcePathStyle: values.S3_FORCE_PATH_STYLE ?? values.S3_ENDPOINT !== undefined,
      }
