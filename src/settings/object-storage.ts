import { bucketName, endpoint, flag, text, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Where large ping bodies are stored. */
export const objectStorageSettings = withGroup('Object storage', {
  S3_BUCKET: {
    type: bucketName,
    default: '',
    help: 'The bucket for ping bodies over 100 bytes, in any S3-compatible storage. It must exist. Empty: all bodies are stored in the database.',
  },
  S3_ENDPOINT: {
    type: endpoint,
    default: '',
    help: 'The host of the storage, with a port if it is not the default: `s3.eu-central-1.amazonaws.com`, `minio.example.org:9000`.',
  },
  S3_REGION: {
    type: text,
    default: 'us-east-1',
    help: 'The region for which requests are signed.',
  },
  S3_ACCESS_KEY: { type: text, default: '', help: 'The access key.' },
  S3_SECRET_KEY: { type: text, default: '', secret: true, help: 'The secret key.' },
  S3_TIMEOUT: {
    type: whole(1, 3_600),
    default: '60',
    help: 'The time limit of an upload or a deletion, in seconds. Reading a body takes at most 5 seconds.',
  },
  S3_SECURE: { type: flag, default: 'True', help: 'Whether to use TLS.' },
})
