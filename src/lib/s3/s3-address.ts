export interface BucketPlace {
  /** `host` or `host:port`. */
  endpoint: string
  secure: boolean
  region: string
  bucket: string
}

/**
 * Where a bucket is. Amazon wants the bucket in the host's name, unless a dot in it would not fit the certificate;
 * everybody takes it in the path.
 */
export function bucketAddress({ secure, endpoint, bucket, region }: BucketPlace): URL {
  const scheme = secure ? 'https' : 'http'
  const amazon = /(^|\.)amazonaws\.com(\.cn)?$/.test(endpoint)
  if (!amazon || bucket.includes('.')) return new URL(`${scheme}://${endpoint}/${bucket}`)
  const host =
    endpoint === 's3.amazonaws.com' && region !== 'us-east-1' ? `s3.${region}.amazonaws.com` : endpoint
  return new URL(`${scheme}://${bucket}.${host}`)
}
