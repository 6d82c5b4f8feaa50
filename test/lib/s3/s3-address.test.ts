import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketAddress } from '../../../src/lib/s3/s3-address.js'

for (const [name, endpoint, bucket, region, expected] of [
  [
    'Amazon’s in the host',
    's3.eu-central-1.amazonaws.com',
    'logs',
    'eu-central-1',
    'https://logs.s3.eu-central-1.amazonaws.com/',
  ],
  [
    'Amazon’s in its region',
    's3.amazonaws.com',
    'logs',
    'eu-west-1',
    'https://logs.s3.eu-west-1.amazonaws.com/',
  ],
  ['with a dot in the path', 's3.amazonaws.com', 'my.logs', 'us-east-1', 'https://s3.amazonaws.com/my.logs'],
  [
    'everybody else’s in the path',
    'minio.example.org:9000',
    'logs',
    'us-east-1',
    'https://minio.example.org:9000/logs',
  ],
] as const) {
  test(`a bucket’s name goes where its storage wants it: ${name}`, () => {
    assert.equal(bucketAddress({ endpoint, bucket, region, secure: true }).href, expected)
  })
}
