import { bucketName, endpoint, flag, text, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Where large ping bodies lie. */
export const objectStorageSettings = withGroup('Object storage', {
  S3_BUCKET: {
    type: bucketName,
    default: '',
    help: 'The bucket for ping bodies of more than 100 bytes, in any S3-compatible storage; empty: all bodies stay in the database. It must exist.',
  },
  S3_ENDPOINT: {
    type: endpoint,
    default: '',
    help: 'The storage’s host, with its port if that is unusual: `s3.eu-central-1.amazonaws.com`, `minio.example.org:9000`.',
  },
  S3_REGION: {
    type: text,
    default: 'us-east-1',
    help: 'The region that requests are signed for.',
  },
  S3_ACCESS_KEY: { type: text, default: '', help: 'The access key.' },
  S3_SECRET_KEY: { type: text, default: '', secret: true, help: 'Its secret.' },
  S3_TIMEOUT: {
    type: whole(1, 3_600),
    default: '60',
    help: 'How many seconds an upload or a removal may take. Whoever reads a body waits 5 s at most.',
  },
  S3_SECURE: { type: flag, default: 'True', help: 'Whether the storage is spoken to over TLS.' },
})
