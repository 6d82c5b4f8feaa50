export interface BucketPlace {
  /** `host` or `host:port`. */
  endpoint: string
  secure: boolean
  region: string
  bucket: string
}

/**
 * The address of a bucket. Amazon requires the bucket in the host name, except for names with a dot, which would not
 * match the certificate. All other services accept it in the path.
 */
export function bucketAddress({ secure, endpoint, bucket, region }: BucketPlace): URL {
  const scheme = secure ? 'https' : 'http'
  const amazon = /(^|\.)amazonaws\.com(\.cn)?$/.test(endpoint)
  if (!amazon || bucket.includes('.')) return new URL(`${scheme}://${endpoint}/${bucket}`)
  const host =
    endpoint === 's3.amazonaws.com' && region !== 'us-east-1' ? `s3.${region}.amazonaws.com` : endpoint
  return new URL(`${scheme}://${bucket}.${host}`)
}
